/* See coarse.h.
 *
 * Two threads are alike if their frames and registers are equal up to the names of own
 * memory: instances that nobody but the thread can reach. Uniting them, `kept` stands for
 * both:
 *  - memory that both can reach is common to all members for good, and not own;
 *  - an entry on memory of others is known to the crowd if both knew it;
 *  - an entry on own memory of the other moves to the instance that stands for it, and
 *    what the other knew of it the crowd knows of it: each member meets its own only;
 *  - ids of the two, wherever they are, become TOP. */
#include "engine/interleave/coarse.h"

#include "base/map.h"

#include <assert.h>
#include <string.h>

enum { MAX_VALUES = 32 };

/* The numbers that one place has held so far. */
typedef struct {
  uint32_t count; /* more than the limit: TOP from now on */
  uint64_t seen[MAX_VALUES];
} Held;

typedef struct {
  uint64_t threads; /* that can reach the instance */
  bool shared;      /* so can who knows a fixed one */
} Reach;

struct Coarse {
  const Facts *facts;
  uint32_t values;
  VEC(Held) held;
  uint32_t *of_local; /* by LocalId: index into held + 1 */
  Map of_cell;        /* object and offset → index into held + 1 */
  VEC(Reach) reach;   /* by instance */
  VEC(uint32_t) twin; /* by instance of one thread: that of the other + 1 */
};

Coarse *coarse_new(const Facts *facts, uint32_t values) {
  Coarse *c = mem_alloc_zero(sizeof *c);
  c->facts = facts;
  c->values = values < MAX_VALUES ? values : MAX_VALUES;
  c->of_local = mem_alloc_zero((facts->program->locals.len + 1) * sizeof *c->of_local);
  return c;
}

void coarse_free(Coarse *c) {
  if (!c) return;
  vec_free(&c->held);
  vec_free(&c->reach);
  vec_free(&c->twin);
  map_free(&c->of_cell);
  mem_free(c->of_local);
  mem_free(c);
}

/* ---- values ---- */

static uint32_t new_held(Coarse *c) {
  vec_push(&c->held, (Held){0});
  return c->held.len - 1;
}

static bool is_too_many(Coarse *c, uint32_t held, uint64_t value) {
  Held *h = &c->held.data[held];
  for (uint32_t i = 0; i < h->count && i < c->values; i++)
    if (h->seen[i] == value) return h->count > c->values;
  if (h->count < c->values) h->seen[h->count] = value;
  if (h->count <= c->values) h->count++;
  return h->count > c->values;
}

static void forget_registers(Coarse *c, State *s) {
  const Program *p = c->facts->program;
  for (uint32_t t = 0; t < s->thread_count; t++) {
    AbsThread *thread = &s->threads[t];
    for (uint32_t i = 0; i < thread->frames.len; i++) {
      const ThreadFrame *f = &thread->frames.data[i];
      const Function *function = vec_at(&p->functions, f->function);
      for (uint32_t r = 0; r < function->local_count; r++) {
        AbsValue *v = &thread->regs.data[f->regs + r];
        uint32_t *slot = &c->of_local[function->first_local + r];
        if (!abs_is_number(*v)) continue;
        if (!*slot) *slot = new_held(c) + 1;
        if (is_too_many(c, *slot - 1, v->num)) *v = abs_top();
      }
    }
  }
}

static void forget_cells(Coarse *c, State *s) {
  for (uint32_t i = 0; i < s->cells.len; i++) {
    Cell *cell = &s->cells.data[i];
    if (!abs_is_number(cell->value)) continue;
    uint64_t key =
        (uint64_t)s->instances.data[cell->instance].object << 32 | cell->offset;
    uint64_t *held = map_at(&c->of_cell, key);
    if (!*held) *held = new_held(c) + UINT64_C(1);
    if (is_too_many(c, (uint32_t)*held - 1, cell->value.num)) cell->value = abs_top();
  }
}

/* ---- who can reach what ---- */

static bool reach_more(Coarse *c, AbsValue v, uint64_t threads, bool shared) {
  if (!abs_is_address(v)) return false;
  Reach *r = &c->reach.data[abs_id(v)];
  if ((r->threads | threads) == r->threads && r->shared >= shared) return false;
  r->threads |= threads;
  r->shared = r->shared || shared;
  return true;
}

static void find_reach(Coarse *c, const State *s) {
  vec_clear(&c->reach);
  if (s->instances.len)
    memset(vec_extend(&c->reach, s->instances.len), 0,
           s->instances.len * sizeof *c->reach.data);
  for (uint32_t i = 0; i < s->instances.len; i++) {
    const Instance *x = &s->instances.data[i];
    c->reach.data[i].shared = i < c->facts->static_count || x->common;
    if (x->owner) c->reach.data[i].threads = UINT64_C(1) << (x->owner - 1);
  }
  for (uint32_t t = 0; t < s->thread_count; t++) {
    const AbsThread *thread = &s->threads[t];
    reach_more(c, thread->result, 0, true);
    for (uint32_t r = 0; r < thread->regs.len; r++)
      reach_more(c, thread->regs.data[r], UINT64_C(1) << t, false);
    for (uint32_t i = 0; i < thread->frames.len; i++)
      if (thread->frames.data[i].kind == FRAME_ONCE)
        c->reach.data[thread->frames.data[i].once_instance].shared = true;
  }
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].kind == SYNC_ATOMIC)
      reach_more(c, s->syncs.data[i].value, 0, true);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->cells.len; i++) {
      Reach from = c->reach.data[s->cells.data[i].instance];
      if (reach_more(c, s->cells.data[i].value, from.threads, from.shared))
        changed = true;
    }
  }
}

static bool is_own(const Coarse *c, uint32_t instance, uint32_t thread) {
  const Reach *r = &c->reach.data[instance];
  return !r->shared && r->threads == UINT64_C(1) << thread;
}

/* ---- threads that are alike ---- */

static bool uses_sync(const State *s, uint32_t thread) {
  uint64_t bit = UINT64_C(1) << thread;
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].kind != SYNC_ATOMIC &&
        (s->syncs.data[i].owner == thread + 1 || (s->syncs.data[i].readers & bit)))
      return true;
  return false;
}

static bool may_join_crowd(const State *s, uint32_t thread) {
  const AbsThread *t = &s->threads[thread];
  if (t->status != THREAD_LIVE || t->section || s->section_owner == thread + 1)
    return false;
  if (t->phase != PHASE_START && t->phase != PHASE_ASLEEP) return false;
  for (uint32_t i = 0; i < t->frames.len; i++)
    if (t->frames.data[i].kind == FRAME_ONCE) return false;
  return !uses_sync(s, thread);
}

static bool values_alike(Coarse *c, AbsValue a, AbsValue b, uint32_t ta, uint32_t tb);

static uint32_t cell_of(const State *s, uint32_t instance) {
  uint32_t i = 0;
  while (i < s->cells.len && s->cells.data[i].instance < instance) i++;
  return i;
}

/* Own memory with the same contents, as far as its twin is not found yet. */
static bool instances_alike(Coarse *c, const State *s, uint32_t a, uint32_t b,
                            uint32_t ta, uint32_t tb) {
  const Instance *x = &s->instances.data[a], *y = &s->instances.data[b];
  if (x->object != y->object || x->size != y->size || x->contents != y->contents ||
      x->dead != y->dead || !x->owner != !y->owner || x->frame != y->frame)
    return false;
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].instance == a || s->syncs.data[i].instance == b) return false;
  uint32_t i = cell_of(s, a), k = cell_of(s, b);
  for (;; i++, k++) {
    bool more_a = i < s->cells.len && s->cells.data[i].instance == a;
    bool more_b = k < s->cells.len && s->cells.data[k].instance == b;
    if (!more_a || !more_b) return more_a == more_b;
    const Cell *p = &s->cells.data[i], *q = &s->cells.data[k];
    if (p->offset != q->offset || p->size != q->size ||
        !values_alike(c, p->value, q->value, ta, tb))
      return false;
  }
}

static bool values_alike(Coarse *c, AbsValue a, AbsValue b, uint32_t ta, uint32_t tb) {
  if (abs_equal(a, b)) return true;
  if (abs_tag(a) == ABS_THREAD && abs_tag(b) == ABS_THREAD)
    return abs_id(a) == ta && abs_id(b) == tb;
  if (!abs_is_address(a) || abs_tag(a) != abs_tag(b) || a.num != b.num) return false;
  if (!is_own(c, abs_id(a), ta) || !is_own(c, abs_id(b), tb)) return false;
  uint32_t *twin = &c->twin.data[abs_id(b)];
  if (!*twin) *twin = abs_id(a) + 1;
  return *twin == abs_id(a) + 1;
}

/* Every instance has at most one partner, and all of the own memory has one. */
static bool memory_alike(Coarse *c, const State *s, uint32_t ta, uint32_t tb) {
  for (uint32_t b = 0; b < s->instances.len; b++) /* stack objects by their frames */
    for (uint32_t a = 0; a < s->instances.len && s->instances.data[b].owner == tb + 1;
         a++) {
      const Instance *x = &s->instances.data[a], *y = &s->instances.data[b];
      bool match = x->owner == ta + 1 && x->object == y->object && x->frame == y->frame &&
                   x->dead == y->dead;
      if (!match || c->twin.data[b]) continue;
      if (!is_own(c, a, ta) || !is_own(c, b, tb)) return false;
      c->twin.data[b] = a + 1;
      break;
    }
  for (bool changed = true; changed;) { /* the walk finds more twins */
    changed = false;
    for (uint32_t b = 0; b < s->instances.len; b++) {
      if (!c->twin.data[b]) continue;
      uint64_t before = 0, after = 0;
      for (uint32_t i = 0; i < c->twin.len; i++) before += c->twin.data[i] != 0;
      if (!instances_alike(c, s, c->twin.data[b] - 1, b, ta, tb)) return false;
      for (uint32_t i = 0; i < c->twin.len; i++) after += c->twin.data[i] != 0;
      changed = changed || before != after;
    }
  }
  uint32_t own_a = 0, own_b = 0, twins = 0;
  for (uint32_t i = 0; i < s->instances.len; i++) {
    own_a += is_own(c, i, ta);
    own_b += is_own(c, i, tb);
    twins += c->twin.data[i] != 0;
    for (uint32_t k = 0; k < i && c->twin.data[i]; k++)
      if (c->twin.data[k] == c->twin.data[i]) return false;
    if (s->instances.data[i].owner == tb + 1 && !c->twin.data[i]) return false;
  }
  return own_a == own_b && own_b == twins;
}

static bool threads_alike(Coarse *c, const State *s, uint32_t ta, uint32_t tb) {
  const AbsThread *a = &s->threads[ta], *b = &s->threads[tb];
  if (a->phase != b->phase || a->created != b->created || a->cancelled != b->cancelled ||
      a->ending != b->ending || a->frames.len != b->frames.len ||
      a->regs.len != b->regs.len)
    return false;
  for (uint32_t i = 0; i < a->frames.len; i++)
    if (memcmp(&a->frames.data[i], &b->frames.data[i], sizeof a->frames.data[i]))
      return false;
  vec_clear(&c->twin);
  memset(vec_extend(&c->twin, s->instances.len + 1), 0,
         (s->instances.len + 1) * sizeof *c->twin.data);
  c->twin.len = s->instances.len;
  for (uint32_t i = 0; i < a->regs.len; i++)
    if (!values_alike(c, a->regs.data[i], b->regs.data[i], ta, tb)) return false;
  return memory_alike(c, s, ta, tb);
}

/* ---- uniting them ---- */

static void forget_id(AbsValue *v, uint32_t ta, uint32_t tb) {
  if (abs_tag(*v) == ABS_THREAD && (abs_id(*v) == ta || abs_id(*v) == tb)) *v = abs_top();
}

static void forget_ids(State *s, uint32_t ta, uint32_t tb) {
  for (uint32_t i = 0; i < s->cells.len; i++) forget_id(&s->cells.data[i].value, ta, tb);
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    Sync *y = &s->syncs.data[i];
    if (y->kind != SYNC_ATOMIC) continue;
    forget_id(&y->value, ta, tb);
    if (y->owner == ta + 1 || y->owner == tb + 1) y->owner = 0;
  }
  for (uint32_t t = 0; t < s->thread_count; t++) {
    forget_id(&s->threads[t].result, ta, tb);
    for (uint32_t i = 0; i < s->threads[t].regs.len; i++)
      forget_id(&s->threads[t].regs.data[i], ta, tb);
  }
}

static void unite_knowledge(Coarse *c, State *s, uint32_t kept, uint32_t other) {
  uint64_t a = UINT64_C(1) << kept, b = UINT64_C(1) << other;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    Entry *e = &s->entries.data[i];
    bool knows_a = e->threads & a, knows_b = e->threads & b, knows;
    e->pending &= ~(a | b);
    e->fenced &= ~(a | b);
    if (e->kind == ACCESS_MARK) {
      knows = knows_a || knows_b;
    } else if (c->twin.data[e->instance]) {
      e->instance = c->twin.data[e->instance] - 1;
      knows = knows_b;
    } else if (is_own(c, e->instance, kept)) {
      knows = knows_a;
    } else {
      knows = knows_a && knows_b;
    }
    e->threads = (e->threads & ~(a | b)) | (knows ? a : 0);
  }
}

/* What the other alone could reach is gone. */
static void drop_twins(const Coarse *c, State *s) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->cells.len; i++)
    if (!c->twin.data[s->cells.data[i].instance])
      s->cells.data[kept++] = s->cells.data[i];
  s->cells.len = kept;
  for (uint32_t i = 0; i < s->instances.len; i++) {
    if (!c->twin.data[i]) continue;
    s->instances.data[i].dead = 1;
    s->instances.data[i].owner = 0;
  }
}

/* What both can reach stays one thing for all members, even when nobody else knows it. */
static void mark_common(const Coarse *c, State *s, uint32_t kept, uint32_t other) {
  uint64_t both = UINT64_C(1) << kept | UINT64_C(1) << other;
  for (uint32_t i = 0; i < s->instances.len; i++)
    if ((c->reach.data[i].threads & both) == both) s->instances.data[i].common = 1;
}

static void unite(Coarse *c, State *s, uint32_t kept, uint32_t other) {
  assert(kept < other && other < s->thread_count && c->twin.len == s->instances.len);
  mark_common(c, s, kept, other);
  unite_knowledge(c, s, kept, other);
  drop_twins(c, s);
  forget_ids(s, kept, other);
  AbsThread *gone = &s->threads[other];
  gone->status = THREAD_GONE;
  gone->result = abs_top();
  vec_clear(&gone->frames);
  vec_clear(&gone->regs);
  s->threads[kept].crowd = CROWD_MANY;
  s->threads[kept].detached = 1;
}

void coarse_apply(Coarse *c, State *s) {
  forget_registers(c, s);
  forget_cells(c, s);
  find_reach(c, s);
  for (uint32_t a = 1; a < s->thread_count; a++) {
    if (!may_join_crowd(s, a)) continue;
    for (uint32_t b = a + 1; b < s->thread_count; b++) {
      if (!may_join_crowd(s, b) || !threads_alike(c, s, a, b)) continue;
      unite(c, s, a, b);
      find_reach(c, s);
    }
  }
}

/* ---- leaving a crowd ---- */

static AbsValue copied(const Coarse *c, AbsValue v) {
  if (abs_is_address(v) && c->twin.data[abs_id(v)])
    v.base = abs_base(abs_tag(v), c->twin.data[abs_id(v)] - 1);
  return v;
}

/* The rest gets memory of its own, with the same contents: the copy of an instance is its
 * twin. Copies are numbered in order, so that cells stay sorted. */
static void copy_memory(Coarse *c, State *s, uint32_t mover, uint32_t rest) {
  uint32_t count = s->instances.len;
  vec_clear(&c->twin);
  memset(vec_extend(&c->twin, count + 1), 0, (count + 1) * sizeof *c->twin.data);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_own(c, i, mover)) continue;
    Instance x = s->instances.data[i];
    if (x.owner) x.owner = (uint8_t)(rest + 1);
    vec_push(&s->instances, x);
    c->twin.data[i] = s->instances.len;
  }
  for (uint32_t i = 0, n = s->cells.len; i < n; i++) {
    Cell cell = s->cells.data[i];
    if (!c->twin.data[cell.instance]) continue;
    cell.instance = c->twin.data[cell.instance] - 1;
    cell.value = copied(c, cell.value);
    vec_push(&s->cells, cell);
  }
}

static void copy_knowledge(const Coarse *c, State *s, uint32_t mover, uint32_t rest) {
  uint64_t from = UINT64_C(1) << mover, to = UINT64_C(1) << rest;
  for (uint32_t i = 0, n = s->entries.len; i < n; i++) {
    Entry *e = &s->entries.data[i];
    Entry twin = *e;
    bool knows = e->threads & from;
    if (!c->twin.data[e->instance]) {
      if (knows) e->threads |= to;
      continue;
    }
    twin.instance = c->twin.data[e->instance] - 1;
    twin.threads = (e->threads & ~from) | (knows ? to : 0);
    vec_push(&s->entries, twin);
  }
}

bool coarse_leave_crowd(Coarse *c, State *s, uint32_t thread) {
  AbsThread *mover = &s->threads[thread];
  if (mover->crowd != CROWD_MANY) return true;
  if (s->thread_count == IL_MAX_THREADS) return false;
  uint32_t rest = s->thread_count;
  AbsThread *crowd = &s->threads[rest];
  assert(mover->status == THREAD_LIVE);
  find_reach(c, s);
  s->thread_count++;
  copy_memory(c, s, thread, rest);
  copy_knowledge(c, s, thread, rest);
  crowd->status = THREAD_LIVE;
  crowd->phase = mover->phase;
  crowd->detached = 1;
  crowd->section = 0;
  crowd->crowd = CROWD_MANY;
  crowd->created = mover->created;
  crowd->result = abs_top();
  vec_clear(&crowd->frames);
  vec_clear(&crowd->regs);
  for (uint32_t i = 0; i < mover->frames.len; i++)
    vec_push(&crowd->frames, mover->frames.data[i]);
  for (uint32_t i = 0; i < mover->regs.len; i++)
    vec_push(&crowd->regs, copied(c, mover->regs.data[i]));
  mover->crowd = CROWD_ONE;
  return true;
}
