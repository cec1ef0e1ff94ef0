/* Sequences, sets, maps, ranges and comprehensions.
 *
 * In: nodes with kids and statements. Out: values. Sequences are lazy: the tail of a
 * range without an end is a delayed range, and a comprehension goes along its first
 * generator only as far as somebody looks (the others are solved at once). Sets are
 * evaluated fully; a set that cannot be written out stays symbolic until somebody wants
 * its elements. */
#include "csp/eval.h"

#include <stdlib.h>

/* ---- statements -------------------------------------------------------------------- */

typedef struct {
  CspNode **stmts;
  uint32_t count, slots;
  CspEach *each;
  void *user;
} Solve;

static CspEnv *copy_env(Csp *csp, CspEnv *env) {
  CspEnv *copy = csp_env(csp, env->up, env->slots);
  for (uint32_t i = 0; i < env->slots; i++) copy->slot[i] = env->slot[i];
  return copy;
}

static void solve(Csp *csp, const Solve *s, uint32_t at, CspEnv *env);

static void solve_with(Csp *csp, const Solve *s, uint32_t at, CspEnv *env,
                       CspValue *item) {
  CspEnv *next = copy_env(csp, env);
  if (csp_match(csp, s->stmts[at]->kids[0], item, next)) solve(csp, s, at + 1, next);
}

static void solve(Csp *csp, const Solve *s, uint32_t at, CspEnv *env) {
  csp_check_stack(csp, csp->at, "this comprehension");
  if (at == s->count) {
    s->each(csp, env, s->user);
    return;
  }
  CspNode *stmt = s->stmts[at];
  if (stmt->kind == NODE_FILTER) {
    if (csp_eval_kind(csp, stmt->kids[0], env, VALUE_BOOL, "true or false")->number)
      solve(csp, s, at + 1, env);
    return;
  }
  CspValue *source = csp_eval(csp, stmt->kids[1], env);
  if (source->kind == VALUE_CONS || source->kind == VALUE_NIL) {
    for (; source->kind == VALUE_CONS; source = csp_force(csp, source->second))
      solve_with(csp, s, at, env, source->first);
    return;
  }
  source = csp_finite(csp, source, stmt->kids[1]->place);
  for (uint32_t i = 0; i < source->count; i++)
    solve_with(csp, s, at, env, source->items[i]);
}

void csp_solve(Csp *csp, CspNode **stmts, uint32_t count, uint32_t slots, CspEnv *env,
               CspEach *each, void *user) {
  Solve s = {stmts, count, slots, each, user};
  solve(csp, &s, 0, csp_env(csp, env, slots));
}

/* ---- sequences --------------------------------------------------------------------- */

CspValue *csp_sequence_of(Csp *csp, CspValue **items, uint32_t count) {
  CspValue *seq = csp_nil(csp);
  for (uint32_t i = count; i-- > 0;) seq = csp_cons(csp, items[i], seq);
  return seq;
}

void csp_sequence_items(Csp *csp, CspValue *sequence, CspList *out) {
  sequence = csp_force_deep(csp, sequence);
  for (; sequence->kind == VALUE_CONS; sequence = csp_force(csp, sequence->second))
    csp_list_push(csp, out, csp_force_deep(csp, sequence->first));
}

CspValue *csp_append(Csp *csp, CspValue *first, CspValue *second) {
  while (first->kind == VALUE_LINK) first = first->first;
  if (first->kind == VALUE_NIL) return second;
  if (first->kind == VALUE_CONS && first->whole) {
    CspList items = {0};
    for (CspValue *v = first; v->kind == VALUE_CONS; v = csp_force(csp, v->second))
      csp_list_push(csp, &items, v->first);
    CspValue *seq = second;
    while (seq->kind == VALUE_LINK) seq = seq->first;
    for (uint32_t i = items.len; i-- > 0;) seq = csp_cons(csp, items.data[i], seq);
    return seq;
  }
  CspValue *value = csp_value(csp, VALUE_APPEND);
  value->first = first;
  value->second = second;
  return value;
}

/* ---- ranges ------------------------------------------------------------------------ */

static void check_size(Csp *csp, uint64_t size, CspPlace place) {
  if (size > csp->limits.set)
    csp_limit(csp, place, "make it smaller, or raise --set-size",
              "this set has more than %llu elements",
              (unsigned long long)csp->limits.set);
}

static int64_t bound(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_eval_kind(csp, node, env, VALUE_INT, "a number")->number;
}

static CspValue *eval_range(Csp *csp, CspNode *node, CspEnv *env) {
  int64_t from = bound(csp, node->kids[0], env);
  bool sequence = node->kind == NODE_SEQ_RANGE;
  if (node->count == 1) {
    CspValue *open = csp_value(csp, sequence ? VALUE_RANGE : VALUE_SYMBOLIC);
    if (sequence) {
      open->number = from;
      return csp_force(csp, open);
    }
    open->number = SYMBOLIC_FROM;
    open->from = from;
    open->whole = true;
    return open;
  }
  int64_t to = bound(csp, node->kids[1], env);
  uint64_t size = to < from ? 0 : (uint64_t)to - (uint64_t)from + 1;
  check_size(csp, size ? size : to >= from, node->place);
  CspValue **items = arena_alloc(csp->arena, (size + 1) * sizeof *items);
  for (uint64_t i = 0; i < size; i++) items[i] = csp_int(csp, from + (int64_t)i);
  return sequence ? csp_sequence_of(csp, items, (uint32_t)size)
                  : csp_set(csp, items, (uint32_t)size);
}

/* ---- collections ------------------------------------------------------------------- */

typedef struct {
  CspNode *node;
  CspList items;
} Gather;

static void gather_kid(Csp *csp, CspNode *node, CspNode *kid, CspEnv *env, CspList *out) {
  if (node->kind == NODE_SEQ) {
    csp_list_push(csp, out, csp_delay(csp, kid, env));
    return;
  }
  CspValue *value = csp_force_deep(csp, csp_eval(csp, kid, env));
  check_size(csp, out->len, node->place);
  if (node->kind == NODE_CHANSET)
    csp_completions(csp, value, kid->place, out);
  else
    csp_list_push(csp, out, value);
}

static void gather(Csp *csp, CspEnv *env, void *user) {
  Gather *g = user;
  if (g->node->kind == NODE_SEQ_RANGE || g->node->kind == NODE_SET_RANGE) {
    CspValue *range = eval_range(csp, g->node, env);
    if (range->kind == VALUE_SET)
      for (uint32_t i = 0; i < range->count; i++)
        csp_list_push(csp, &g->items, range->items[i]);
    else if (range->kind == VALUE_SYMBOLIC)
      csp_finite(csp, range, g->node->place);
    else
      csp_sequence_items(csp, range, &g->items);
    return;
  }
  for (uint32_t i = 0; i < g->node->count; i++)
    gather_kid(csp, g->node, g->node->kids[i], env, &g->items);
}

/* A pair, and where it stood: of equal keys the last one counts. */
typedef struct {
  CspValue *key, *value;
  uint32_t at;
} Pair;

static int compare_pairs(const void *x, const void *y, void *csp) {
  const Pair *a = x, *b = y;
  int c = csp_compare(csp, a->key, b->key);
  return c ? c : a->at < b->at ? -1 : 1;
}

/* Pairs in any order to a map: a later key replaces an earlier one. */
CspValue *csp_map_of(Csp *csp, CspValue **items, uint32_t count) {
  Pair *pairs = arena_alloc(csp->arena, (count + 1) * sizeof *pairs);
  CspValue **sorted = arena_alloc(csp->arena, (2 * (size_t)count + 1) * sizeof *sorted);
  bool in_order = true;
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    pairs[i] = (Pair){csp_force_deep(csp, items[2 * i]), items[2 * i + 1], i};
    in_order &= i == 0 || csp_compare(csp, pairs[i - 1].key, pairs[i].key) < 0;
  }
  if (!in_order) {
    /* Probe first: qsort_r may allocate, and a failing comparison would leak that. */
    for (uint32_t i = 0; i < count; i++) csp_compare(csp, pairs[i].key, pairs[0].key);
    qsort_r(pairs, count, sizeof *pairs, compare_pairs, csp);
  }
  for (uint32_t i = 0; i < count; i++) {
    bool again = n && csp_compare(csp, sorted[2 * n - 2], pairs[i].key) == 0;
    n += !again;
    sorted[2 * n - 2] = pairs[i].key;
    sorted[2 * n - 1] = pairs[i].value;
  }
  return csp_items(csp, VALUE_MAP, sorted, n);
}

/* ---- delayed comprehensions -------------------------------------------------------- */

/* A sequence over the first generator, element by element: `home` has one slot with what
 * is left of the generator, `env` is the frame of the comprehension. */
static CspValue *delayed(Csp *csp, CspNode *node, CspEnv *env, CspValue *left) {
  CspValue *value = csp_value(csp, VALUE_REST);
  value->node = node;
  value->env = env;
  value->home = csp_env(csp, NULL, 1);
  value->home->slot[0] = left;
  return value;
}

CspValue *csp_force_rest(Csp *csp, CspValue *rest) {
  CspNode *node = rest->node;
  CspEnv *env = rest->env;
  Gather g = {.node = node};
  Solve s = {node->stmts, node->stmt_count, node->slots, gather, &g};
  CspValue *left = csp_force(csp, rest->home->slot[0]);
  csp_check_stack(csp, node->place, "this comprehension");
  for (; left->kind == VALUE_CONS && !g.items.len; left = csp_force(csp, left->second)) {
    csp_count_step(csp, node->place);
    solve_with(csp, &s, 0, env, left->first);
    if (g.items.len) {
      CspValue *seq = delayed(csp, node, env, left->second);
      for (uint32_t i = g.items.len; i-- > 0;) seq = csp_cons(csp, g.items.data[i], seq);
      return seq;
    }
  }
  return csp_nil(csp);
}

/* NULL when the first generator is no sequence. */
static CspValue *comprehension(Csp *csp, CspNode *node, CspEnv *env) {
  CspEnv *frame = csp_env(csp, env, node->slots);
  CspValue *source = csp_eval(csp, node->stmts[0]->kids[1], frame);
  if (source->kind != VALUE_CONS && source->kind != VALUE_NIL) return NULL;
  return csp_force(csp, delayed(csp, node, frame, source));
}

CspValue *csp_eval_collection(Csp *csp, CspNode *node, CspEnv *env) {
  Gather g = {.node = node};
  if (node->kind == NODE_MAP) {
    CspValue **pairs = arena_alloc(csp->arena, (node->count + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < node->count; i++)
      pairs[i] = csp_delay(csp, node->kids[i], env);
    return csp_map_of(csp, pairs, node->count / 2);
  }
  bool sequence = node->kind == NODE_SEQ || node->kind == NODE_SEQ_RANGE;
  if (sequence && node->stmt_count && node->stmts[0]->kind != NODE_FILTER) {
    CspValue *lazy = comprehension(csp, node, env);
    if (lazy) return lazy;
  }
  if (node->stmt_count) {
    csp_solve(csp, node->stmts, node->stmt_count, node->slots, env, gather, &g);
  } else {
    if (node->kind == NODE_SEQ_RANGE || node->kind == NODE_SET_RANGE)
      return eval_range(csp, node, env);
    gather(csp, env, &g);
  }
  csp->at = node->place;
  return sequence ? csp_sequence_of(csp, (CspValue **)g.items.data, g.items.len)
                  : csp_set(csp, (CspValue **)g.items.data, g.items.len);
}

/* ---- writing sets out -------------------------------------------------------------- */

static CspValue *power_set(Csp *csp, CspValue *base, CspPlace place) {
  base = csp_finite(csp, base, place);
  check_size(csp, base->count < 63 ? UINT64_C(1) << base->count : UINT64_MAX, place);
  uint64_t size = UINT64_C(1) << base->count;
  CspValue **sets = arena_alloc(csp->arena, size * sizeof *sets);
  for (uint64_t mask = 0; mask < size; mask++) {
    CspValue **items = arena_alloc(csp->arena, (base->count + 1) * sizeof *items);
    uint32_t n = 0;
    for (uint32_t i = 0; i < base->count; i++)
      if (mask >> i & 1) items[n++] = base->items[i];
    sets[mask] = csp_set(csp, items, n);
  }
  return csp_set(csp, sets, (uint32_t)size);
}

CspValue *csp_finite(Csp *csp, CspValue *set, CspPlace place) {
  set = csp_force(csp, set);
  if (set->kind == VALUE_SET) return set;
  if (set->kind == VALUE_SYMBOLIC && set->number == SYMBOLIC_POWER)
    return power_set(csp, set->second, place);
  if (set->kind != VALUE_SYMBOLIC) csp_fail(csp, place, "give a set", "expected a set");
  csp_fail(csp, place, "use a finite set such as {0..9}", "the set %s is infinite",
           csp_value_text(csp, set));
}
