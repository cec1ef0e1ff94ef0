/* Why two accesses cannot race. Each rule is an argument of its own:
 *
 * bytes    they touch different bytes of the object, or none of them writes.
 * atomic   both are atomic accesses, or both are made by the library under its own lock.
 * own      the memory is the thread instance's own: a fresh object, its own stack frame or
 *          thread-local variable, what its own argument designates, an array element whose
 *          number is its own argument.
 * ordered  create, join or a one-time initialiser stands between them (analysis/flow.h).
 * guarded  both hold a lock of the same name that denotes one lock, not both for reading; or
 *          both hold a lock at the same distance from the accessed address (p->lock guards
 *          p->data), or at the same index (lock[i] guards data[i]): if the accesses meet, the
 *          addresses are equal, so the locks are. */
#include "analysis/pair.h"

#include <assert.h>

/* ---- own memory ---- */

static bool runs_function(const Flow *flow, uint32_t thread, FuncId function) {
  return flow_thread_runs(flow, thread, function);
}

/* A variable of the accessing thread's own frame or its own thread-local one. */
static bool is_own_variable(const Flow *flow, const FlowAccess *a) {
  if (!a->address.known || !a->address.base || flow_is_symbol(a->address.base))
    return false;
  const Object *o = &flow->program->objects.data[flow_base_id(a->address.base)];
  if (flow_is_thread_argument(flow, flow_base_id(a->address.base))) return false;
  return o->kind == OBJECT_TLS ||
         (o->kind == OBJECT_STACK && runs_function(flow, a->thread, o->owner));
}

static uint64_t stride_of(const FlowAccess *a) {
  return (uint64_t)(a->address.stride < 0 ? -a->address.stride : a->address.stride);
}

/* The creator's access is in an element of those of which the other thread was given its own,
 * where it stays. */
static bool of_given_element(const Flow *flow, const FlowAccess *creator,
                             const FlowAccess *other) {
  const FlowThread *t = &flow->threads.data[other->thread];
  uint64_t stride = stride_of(creator);
  int64_t inside = creator->address.offset - t->argument.offset; /* the element itself */
  return other->own == FLOW_OWN_BASE && t->own_argument && t->argument_stride &&
         t->argument_stride == stride && creator->address.base == t->argument.base &&
         inside >= 0 && other->size && creator->size && other->address.offset >= 0 &&
         (uint64_t)other->address.offset + other->size <= stride &&
         (uint64_t)inside + creator->size <= stride;
}

/* Both in elements of one array; if their numbers differ, they do not meet. */
static bool in_one_element(const FlowThread *t, const FlowAccess *a,
                           const FlowAccess *b) {
  return !t->argument_stride && a->address.stride == b->address.stride &&
         a->address.base == b->address.base && a->address.offset == b->address.offset &&
         a->size && b->size && a->size <= stride_of(a) && b->size <= stride_of(a);
}

/* The creator prepares an element before it hands it over: the instances that are alive were
 * given others, because the counter of the loop has every value once. */
static bool before_hand_over(const Flow *flow, const FlowAccess *creator,
                             const FlowAccess *other) {
  return creator->before == other->thread + 1 && of_given_element(flow, creator, other) &&
         creator->address.index == flow->threads.data[other->thread].argument.index;
}

/* The creator uses an element behind the join of the thread that had it. */
static bool after_join(const Flow *flow, const FlowAccess *creator,
                       const FlowAccess *other) {
  const FlowThread *t = &flow->threads.data[other->thread];
  return creator->after == other->thread + 1 &&
         (of_given_element(flow, creator, other) ||
          (t->own_argument && !t->argument.offset && other->own == FLOW_OWN_INDEX &&
           in_one_element(t, creator, other)));
}

static bool own_memory(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  if (a->fresh || b->fresh || before_hand_over(flow, a, b) ||
      before_hand_over(flow, b, a) || after_join(flow, a, b) || after_join(flow, b, a))
    return true;
  if (is_own_variable(flow, a) && is_own_variable(flow, b)) return true;
  if (a->thread != b->thread || !a->own || a->own != b->own) return false;
  const FlowThread *t = &flow->threads.data[a->thread];
  if (!t->own_argument) return false;
  if (a->own == FLOW_OWN_BASE) {
    if (!t->argument_stride) return true; /* different objects */
    const FlowAccess *both[] = {a, b};
    for (int i = 0; i < 2; i++)
      if (!both[i]->size || both[i]->address.offset < 0 ||
          (uint64_t)both[i]->address.offset + both[i]->size > t->argument_stride)
        return false;
    return true;
  }
  return in_one_element(t, a, b);
}

/* ---- locks ---- */

static bool excludes(const Flow *flow, const FlowLock *x, const FlowLock *y) {
  return x->kind == y->kind && !(x->mode == MODE_SHARED && y->mode == MODE_SHARED) &&
         !flow_lock_is_loose(flow, x) && !flow_lock_is_loose(flow, y);
}

static bool is_same_lock(const Flow *flow, const FlowLock *x, const FlowLock *y) {
  return excludes(flow, x, y) && x->unique && y->unique && x->name.base == y->name.base &&
         x->name.offset == y->name.offset;
}

/* Its offset in the object that it is known to be in is a multiple of its size. */
static bool is_aligned(const FlowAccess *a) {
  const FlowValue *v = &a->address;
  return v->known && v->base && !flow_is_symbol(v->base) &&
         v->offset % (int64_t)a->size == 0 &&
         (!v->index || v->stride % (int64_t)a->size == 0);
}

/* Accesses that, if they meet at all, meet with their first bytes: equal, natural sizes, at places that are
 * multiples of the size apart. */
static bool meet_only_as_a_whole(const Flow *flow, const FlowAccess *a,
                                 const FlowAccess *b) {
  if (!a->size || a->size != b->size || a->size > 16 || (a->size & (a->size - 1)))
    return false;
  if (is_aligned(a) && is_aligned(b) && a->address.base == b->address.base) return true;
  return a->offset == b->offset && a->offset != OFFSET_ANY && a->object &&
         pointsto_place_step(flow->pointsto, a->object, a->offset) % a->size == 0;
}

/* The lock's place as seen from the accessed address: same base, constant distance. */
static bool same_base(const FlowAccess *a, const FlowLock *l, int64_t *ret_distance) {
  if (!a->address.known || !a->address.base || a->address.base != l->name.base ||
      a->address.index || l->name.index)
    return false;
  *ret_distance = l->name.offset - a->address.offset;
  return true;
}

/* data[i] under lock[i]: both indexed by the same symbol, from fixed objects. */
static bool same_index(const FlowAccess *a, const FlowLock *l) {
  return a->address.known && a->address.index && a->address.index == l->name.index &&
         a->address.base && !flow_is_symbol(a->address.base) && l->name.base &&
         !flow_is_symbol(l->name.base) && a->address.stride && l->name.stride;
}

/* data[2] under lock[2] against data[i] under lock[i]: they meet only where i is 2. */
static bool same_element(const FlowAccess *fixed, const FlowLock *x,
                         const FlowAccess *any, const FlowLock *y) {
  if (!fixed->exact || !x->unique || !same_index(any, y) ||
      fixed->address.base != any->address.base || x->name.base != y->name.base)
    return false;
  assert(any->address.stride);
  int64_t distance = fixed->address.offset - any->address.offset;
  return distance % any->address.stride == 0 &&
         x->name.offset ==
             distance / any->address.stride * y->name.stride + y->name.offset;
}

static bool related_locks(const Flow *flow, const FlowAccess *a, const FlowLock *x,
                          const FlowAccess *b, const FlowLock *y) {
  if (!meet_only_as_a_whole(flow, a, b)) return false;
  int64_t dx, dy;
  if (same_base(a, x, &dx) && same_base(b, y, &dy)) return dx == dy;
  if (same_element(a, x, b, y) || same_element(b, y, a, x)) return true;
  if (same_index(a, x) && same_index(b, y))
    return a->address.base == b->address.base && a->address.stride == b->address.stride &&
           a->address.offset == b->address.offset && x->name.base == y->name.base &&
           x->name.stride == y->name.stride && x->name.offset == y->name.offset;
  return false;
}

const FlowLock *pair_common_lock(const Flow *flow, const FlowAccess *a,
                                 const FlowAccess *b) {
  assert(a->first_lock + a->lock_count <= flow->locks.len);
  assert(b->first_lock + b->lock_count <= flow->locks.len);
  for (uint32_t i = 0; i < a->lock_count; i++)
    for (uint32_t k = 0; k < b->lock_count; k++) {
      const FlowLock *x = &flow->locks.data[a->first_lock + i];
      const FlowLock *y = &flow->locks.data[b->first_lock + k];
      if (is_same_lock(flow, x, y) ||
          (excludes(flow, x, y) && related_locks(flow, a, x, b, y)))
        return x;
    }
  return NULL;
}

/* ---- ids ---- */

/* The access is the store of a new thread's id, and the other one is made by that thread or
 * one that it creates: the thread may run before its creator has stored the id, so that
 * nothing but a lock keeps them apart. */
static bool is_id_of(const Flow *flow, const FlowAccess *store, const FlowAccess *other) {
  if (program_edge(flow->program, store->edge)->op != OP_CREATE) return false;
  for (uint32_t i = 1; i < flow->threads.len; i++)
    if (flow->threads.data[i].site == store->edge &&
        (i == other->thread || flow_is_descendant(flow, other->thread, i)))
      return true;
  return false;
}

static bool meets_own_id(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  return is_id_of(flow, a, b) || is_id_of(flow, b, a);
}

/* ---- the whole ---- */

static bool ordered_by_once(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  return flow_sets_meet(flow, a->once_inside, b->once_done) ||
         flow_sets_meet(flow, b->once_inside, a->once_done) ||
         flow_sets_meet(flow, a->once_inside, b->once_inside);
}

static bool share_unique_lock(const Flow *flow, const FlowAccess *a,
                              const FlowAccess *b) {
  for (uint32_t i = 0; i < a->lock_count; i++)
    for (uint32_t k = 0; k < b->lock_count; k++)
      if (is_same_lock(flow, &flow->locks.data[a->first_lock + i],
                       &flow->locks.data[b->first_lock + k]))
        return true;
  return false;
}

bool pair_same_circumstances(const FlowAccess *a, const FlowAccess *b) {
  return a->thread == b->thread && a->kind == b->kind && a->alive == b->alive &&
         a->once_done == b->once_done && a->once_inside == b->once_inside &&
         a->first_lock == b->first_lock && a->lock_count == b->lock_count &&
         a->fresh == b->fresh;
}

PairReason pair_decide_anywhere(const Flow *flow, const FlowAccess *a,
                                const FlowAccess *b) {
  if (!((a->kind | b->kind) & FLOW_WRITE)) return PAIR_APART;
  if ((a->kind & b->kind & (FLOW_ATOMIC | FLOW_SYNCED)) != 0 &&
      !((a->kind | b->kind) & FLOW_FREE))
    return PAIR_ATOMIC;
  if (meets_own_id(flow, a, b))
    return !flow->hands_over && share_unique_lock(flow, a, b) ? PAIR_GUARDED : PAIR_RACES;
  if (!flow_may_be_parallel(flow, a->thread, a->alive, b->thread, b->alive) ||
      ordered_by_once(flow, a, b))
    return PAIR_ORDERED;
  if (a->fresh || b->fresh) return PAIR_OWN;
  if ((a->kind & b->kind & FLOW_SECTION) || share_unique_lock(flow, a, b))
    return PAIR_GUARDED;
  return PAIR_RACES;
}

PairReason pair_decide(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  if (!flow_bytes_meet(a, b)) return PAIR_APART;
  PairReason anywhere = pair_decide_anywhere(flow, a, b);
  if (anywhere != PAIR_RACES) return anywhere;
  if (!meets_own_id(flow, a, b) && own_memory(flow, a, b)) return PAIR_OWN;
  return pair_common_lock(flow, a, b) ? PAIR_GUARDED : PAIR_RACES;
}

void pair_survey(const Flow *flow, const uint32_t *members, uint32_t count,
                 bool *ret_written, bool *ret_parallel) {
  *ret_written = *ret_parallel = false;
  for (uint32_t i = 0; i < count; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    if (a->kind & FLOW_WRITE) *ret_written = true;
    if (a->thread != flow->accesses.data[members[0]].thread ||
        flow->threads.data[a->thread].many)
      *ret_parallel = true;
  }
}

bool pair_may_meet(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  switch (pair_decide(flow, a, b)) {
  case PAIR_APART:
  case PAIR_ATOMIC:
  case PAIR_OWN: return false;
  case PAIR_RACES:
  case PAIR_ORDERED:
  case PAIR_GUARDED: return true;
  }
  return true;
}
