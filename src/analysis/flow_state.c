/* States: a working form with growing vectors and a stored form that is shared by content, so
 * that two equal states have one number. See flow_internal.h. */
#include "analysis/flow_internal.h"

#include <assert.h>

void work_free(Work *w) {
  vec_free(&w->bindings);
  vec_free(&w->locks);
  vec_free(&w->fresh);
  vec_free(&w->handed);
}

static void work_clear(Work *w) {
  vec_clear(&w->bindings);
  vec_clear(&w->locks);
  vec_clear(&w->fresh);
  vec_clear(&w->handed);
}

void work_load(Analyzer *a, Work *w, uint32_t id) {
  const State *s = vec_at(&a->states, id);
  work_clear(w);
  if (s->binding_count)
    memcpy(vec_extend(&w->bindings, s->binding_count), s->bindings,
           s->binding_count * sizeof *s->bindings);
  if (s->lock_count)
    memcpy(vec_extend(&w->locks, s->lock_count), s->locks,
           s->lock_count * sizeof *s->locks);
  if (s->fresh_count)
    memcpy(vec_extend(&w->fresh, s->fresh_count), s->fresh,
           s->fresh_count * sizeof *s->fresh);
  if (s->handed_count)
    memcpy(vec_extend(&w->handed, s->handed_count), s->handed,
           s->handed_count * sizeof *s->handed);
  w->alive = s->alive;
  w->once_done = s->once_done;
  w->once_inside = s->once_inside;
  w->section = s->section;
  w->in_thread = s->in_thread;
}

void work_copy(Work *to, const Work *from) {
  work_clear(to);
  if (from->bindings.len)
    memcpy(vec_extend(&to->bindings, from->bindings.len), from->bindings.data,
           from->bindings.len * sizeof *from->bindings.data);
  if (from->locks.len)
    memcpy(vec_extend(&to->locks, from->locks.len), from->locks.data,
           from->locks.len * sizeof *from->locks.data);
  if (from->fresh.len)
    memcpy(vec_extend(&to->fresh, from->fresh.len), from->fresh.data,
           from->fresh.len * sizeof *from->fresh.data);
  if (from->handed.len)
    memcpy(vec_extend(&to->handed, from->handed.len), from->handed.data,
           from->handed.len * sizeof *from->handed.data);
  to->alive = from->alive;
  to->once_done = from->once_done;
  to->once_inside = from->once_inside;
  to->section = from->section;
  to->in_thread = from->in_thread;
}

uint32_t work_store(Analyzer *a, const Work *w) {
  Str key = {0};
  uint32_t head[] = {w->bindings.len, w->locks.len, w->fresh.len,
                     w->handed.len,   w->alive,     w->once_done,
                     w->once_inside,  w->section,   w->in_thread};
  str_add_bytes(&key, head, sizeof head);
  str_add_bytes(&key, w->bindings.data, w->bindings.len * sizeof *w->bindings.data);
  str_add_bytes(&key, w->locks.data, w->locks.len * sizeof *w->locks.data);
  str_add_bytes(&key, w->fresh.data, w->fresh.len * sizeof *w->fresh.data);
  str_add_bytes(&key, w->handed.data, w->handed.len * sizeof *w->handed.data);
  assert(w->alive < set_count(a->sets) && w->once_done < set_count(a->sets) &&
         w->once_inside < set_count(a->sets));
  uint64_t *slot = strmap_at(&a->state_ids, key.data, key.len);
  str_free(&key);
  if (*slot) return (uint32_t)*slot;
  State s = {
      .bindings = arena_dup(a->arena, w->bindings.data,
                            w->bindings.len * sizeof *w->bindings.data),
      .locks = arena_dup(a->arena, w->locks.data, w->locks.len * sizeof *w->locks.data),
      .fresh = arena_dup(a->arena, w->fresh.data, w->fresh.len * sizeof *w->fresh.data),
      .handed =
          arena_dup(a->arena, w->handed.data, w->handed.len * sizeof *w->handed.data),
      .handed_count = w->handed.len,
      .binding_count = w->bindings.len,
      .lock_count = w->locks.len,
      .fresh_count = w->fresh.len,
      .alive = w->alive,
      .once_done = w->once_done,
      .once_inside = w->once_inside,
      .section = w->section,
      .in_thread = w->in_thread};
  *slot = a->states.len;
  vec_push(&a->states, s);
  return a->states.len - 1;
}

/* ---- bindings ---- */

static uint32_t binding_position(const Work *w, LocalId local) {
  uint32_t low = 0, high = w->bindings.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (w->bindings.data[middle].local < local)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const FlowValue *work_find(const Work *w, LocalId local) {
  uint32_t i = binding_position(w, local);
  return i < w->bindings.len && w->bindings.data[i].local == local
             ? &w->bindings.data[i].value
             : NULL;
}

void work_bind(Work *w, LocalId local, FlowValue value) {
  uint32_t i = binding_position(w, local);
  bool there = i < w->bindings.len && w->bindings.data[i].local == local;
  if (!value.known) {
    if (there)
      memmove(&w->bindings.data[i], &w->bindings.data[i + 1],
              (--w->bindings.len - i) * sizeof *w->bindings.data);
    return;
  }
  if (!there) {
    (void)vec_extend(&w->bindings, 1);
    memmove(&w->bindings.data[i + 1], &w->bindings.data[i],
            (w->bindings.len - 1 - i) * sizeof *w->bindings.data);
  }
  w->bindings.data[i] = (Binding){.local = local, .value = value};
  /* they are searched by halves */
  assert(!i || w->bindings.data[i - 1].local < local);
  assert(i + 1 == w->bindings.len || local < w->bindings.data[i + 1].local);
}

void work_forget_ids(Work *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->bindings.len; i++)
    if (!(w->bindings.data[i].local & ID_FACT) || (w->bindings.data[i].local & FACT))
      w->bindings.data[kept++] = w->bindings.data[i];
  w->bindings.len = kept;
}

/* ---- locks and fresh objects ---- */

static int compare_locks(const FlowLock *x, const FlowLock *y) {
  return memcmp(x, y, sizeof *x);
}

void work_add_lock(Work *w, FlowLock lock) {
  uint32_t i = 0;
  while (i < w->locks.len && compare_locks(&w->locks.data[i], &lock) < 0) i++;
  (void)vec_extend(&w->locks, 1);
  memmove(&w->locks.data[i + 1], &w->locks.data[i],
          (w->locks.len - 1 - i) * sizeof *w->locks.data);
  w->locks.data[i] = lock;
}

static bool list_has(const uint32_t *list, uint32_t n, uint32_t symbol) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == symbol) return true;
  return false;
}

static void sort_last(uint32_t *list, uint32_t n) {
  for (uint32_t i = n - 1; i && list[i - 1] > list[i]; i--) {
    uint32_t swap = list[i];
    list[i] = list[i - 1];
    list[i - 1] = swap;
  }
}

bool work_is_fresh(const Work *w, uint32_t symbol) {
  return list_has(w->fresh.data, w->fresh.len, symbol);
}

void work_set_fresh(Work *w, uint32_t symbol) {
  if (work_is_fresh(w, symbol)) return;
  vec_push(&w->fresh, symbol);
  sort_last(w->fresh.data, w->fresh.len);
}

bool work_is_handed(const Work *w, uint32_t symbol) {
  return list_has(w->handed.data, w->handed.len, symbol);
}

void work_set_handed(Work *w, uint32_t symbol) {
  if (work_is_handed(w, symbol)) return;
  vec_push(&w->handed, symbol);
  sort_last(w->handed.data, w->handed.len);
}

void work_not_fresh(Work *w, uint32_t symbol) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->fresh.len; i++)
    if (w->fresh.data[i] != symbol) w->fresh.data[kept++] = w->fresh.data[i];
  w->fresh.len = kept;
}

void work_publish(Work *w, const FlowValue *value) {
  if (!value->known) {
    vec_clear(&w->fresh); /* it may be any of them */
    return;
  }
  if (flow_is_symbol(value->base)) work_not_fresh(w, flow_base_id(value->base));
  if (value->index) work_not_fresh(w, value->index);
}

void work_purge(Analyzer *a, Work *w, SymbolKind kind, uint32_t x) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    LocalId local = w->bindings.data[i].local;
    bool fact = kind == SYMBOL_CELL && (local & FACT);
    if (!fact && !value_mentions(a, &w->bindings.data[i].value, kind, x))
      w->bindings.data[kept++] = w->bindings.data[i];
  }
  w->bindings.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (!value_mentions(a, &w->locks.data[i].name, kind, x))
      w->locks.data[kept++] = w->locks.data[i];
    else
      a->lost_locks = true;
  w->locks.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < w->fresh.len; i++) {
    const Symbol *s = vec_at(&a->symbols, w->fresh.data[i]);
    if (s->kind != kind || s->a != x) w->fresh.data[kept++] = w->fresh.data[i];
  }
  w->fresh.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < w->handed.len; i++) {
    const Symbol *s = vec_at(&a->symbols, w->handed.data[i]);
    if (s->kind != kind || s->a != x) w->handed.data[kept++] = w->handed.data[i];
  }
  w->handed.len = kept;
}

/* ---- joining ---- */

static bool has_lock(const Work *w, const FlowLock *lock) {
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (!compare_locks(&w->locks.data[i], lock)) return true;
  return false;
}

/* Locals with the same value in both keep it; the others are called after this node. */
static void join_bindings(Analyzer *a, Work *into, const Work *other, NodeId node) {
  Work both = {0};
  uint32_t i = 0, k = 0;
  while (i < into->bindings.len || k < other->bindings.len) {
    const Binding *x = i < into->bindings.len ? &into->bindings.data[i] : NULL;
    const Binding *y = k < other->bindings.len ? &other->bindings.data[k] : NULL;
    LocalId local = !y || (x && x->local <= y->local) ? x->local : y->local;
    bool in_x = x && x->local == local, in_y = y && y->local == local;
    FlowValue v;
    i += in_x;
    k += in_y;
    if (in_x && in_y && value_equal(&x->value, &y->value)) {
      v = x->value;
    } else if (local & (FACT | ID_FACT)) {
      continue; /* a cell that may hold this or that: nothing is known of it */
    } else {
      FlowValue strict = in_x ? x->value : value_unknown();
      strict.nonzero = 0;
      FlowValue loose = in_y ? y->value : value_unknown();
      loose.nonzero = 0;
      v = in_x && in_y && value_equal(&strict, &loose)
              ? strict
              : value_symbol(a, (Symbol){.kind = SYMBOL_PHI, .a = node, .b = local});
    }
    Binding b = {.local = local, .value = v};
    assert(!both.bindings.len || vec_last(&both.bindings)->local < local);
    vec_push(&both.bindings, b);
  }
  vec_clear(&into->bindings);
  if (both.bindings.len)
    memcpy(vec_extend(&into->bindings, both.bindings.len), both.bindings.data,
           both.bindings.len * sizeof *both.bindings.data);
  work_free(&both);
}

/* A local that points to a fresh object gets another name at the join: under that name its
 * value may be stored, and nobody would notice. */
static void drop_renamed(const Work *from, Work *joined) {
  for (uint32_t i = 0; i < from->bindings.len; i++) {
    const FlowValue *v = &from->bindings.data[i].value;
    if (!v->known || !flow_is_symbol(v->base) ||
        !work_is_fresh(joined, flow_base_id(v->base)))
      continue;
    const FlowValue *now = work_find(joined, from->bindings.data[i].local);
    if (!now || now->base != v->base) work_not_fresh(joined, flow_base_id(v->base));
  }
}

void work_join(Analyzer *a, Work *into, const Work *other, NodeId node) {
  Work before = {0};
  work_copy(&before, into);
  join_bindings(a, into, other, node);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < into->locks.len; i++)
    if (has_lock(other, &into->locks.data[i]))
      into->locks.data[kept++] = into->locks.data[i];
  into->locks.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < into->fresh.len; i++)
    if (work_is_fresh(other, into->fresh.data[i]))
      into->fresh.data[kept++] = into->fresh.data[i];
  into->fresh.len = kept;
  drop_renamed(&before, into);
  drop_renamed(other, into);
  work_free(&before);
  for (uint32_t i = 0; i < other->handed.len; i++)
    work_set_handed(into, other->handed.data[i]);
  into->alive = set_union(a->sets, into->alive, other->alive);
  into->once_done = set_meet(a->sets, into->once_done, other->once_done);
  into->once_inside = set_meet(a->sets, into->once_inside, other->once_inside);
  into->section = into->section < other->section ? into->section : other->section;
}

/* States that may be joined and lose nothing but which threads run. */
static bool nearly_alike(const State *s, const Work *w) {
  return s->lock_count == w->locks.len && s->once_done == w->once_done &&
         s->once_inside == w->once_inside && s->section == w->section &&
         s->in_thread == w->in_thread &&
         (!w->locks.len ||
          !memcmp(s->locks, w->locks.data, w->locks.len * sizeof *w->locks.data));
}

/* … without losing what matters. */
static bool alike(const State *s, const Work *w) {
  return s->alive == w->alive && nearly_alike(s, w);
}

/* Puts `w` in place of state `i`; true when that is a change. */
static bool replace(Analyzer *a, NodeStates *n, uint8_t i, const Work *w) {
  uint32_t id = work_store(a, w);
  bool changed = n->states[i] != id;
  n->states[i] = id;
  return changed;
}

/* Too many kinds of states: one for all, from now on. */
static bool collapse(Analyzer *a, NodeId node, NodeStates *n, Work *w) {
  Work other = {0};
  for (uint8_t i = 0; i < n->count; i++) {
    work_load(a, &other, n->states[i]);
    work_join(a, w, &other, node);
  }
  work_free(&other);
  n->collapsed = true;
  n->count = 1;
  n->states[0] = 0;
  return replace(a, n, 0, w);
}

static bool join_into(Analyzer *a, NodeId node, NodeStates *n, uint8_t i, const Work *w) {
  Work joined = {0};
  work_load(a, &joined, n->states[i]);
  work_join(a, &joined, w, node);
  bool changed = replace(a, n, i, &joined);
  work_free(&joined);
  return changed;
}

static bool merge(Analyzer *a, NodeId node, NodeStates *n, Work *w) {
  work_purge(a, w, SYMBOL_PHI, node);
  if (n->collapsed && n->count) return join_into(a, node, n, 0, w);
  for (uint8_t i = 0; i < n->count; i++)
    if (alike(vec_at(&a->states, n->states[i]), w)) return join_into(a, node, n, i, w);
  /* of several threads each may have been created or not: that alone is no reason to forget locks */
  for (uint8_t i = 0; n->count >= a->max_disjuncts && i < n->count; i++)
    if (nearly_alike(vec_at(&a->states, n->states[i]), w))
      return join_into(a, node, n, i, w);
  if (n->count >= a->max_disjuncts) return collapse(a, node, n, w);
  assert(n->count < MAX_DISJUNCTS);
  n->states[n->count++] = work_store(a, w);
  return true;
}

/* Values that nobody will read would only keep states apart. */
static void forget_dead(Analyzer *a, NodeId node, Work *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    LocalId local = w->bindings.data[i].local;
    if ((local & (FACT | ID_FACT)) || liveness_has(a->liveness, node, local))
      w->bindings.data[kept++] = w->bindings.data[i];
  }
  w->bindings.len = kept;
}

void node_merge(Analyzer *a, uint32_t context, NodeId node, Work *w) {
  forget_dead(a, node, w);
  if (node == a->renewed_node) {
    merge(a, node, &a->renewed, w);
    return;
  }
  Context *c = vec_at(&a->contexts, context);
  NodeStates *n = &c->nodes[node - a->p->functions.data[c->function].first_node];
  if (merge(a, node, n, w)) enqueue(a, context, node);
}
