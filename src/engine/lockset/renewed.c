/* Locks that are made anew, destroyed or overwritten while others use them.
 *
 * In: the uses of locks and barriers (Flow.things) and the writes to memory. Such a write
 * must be ordered with every use of the lock by another thread: afterwards the lock is free,
 * or no lock at all, whoever holds it. A common lock around both does not help against an
 * initialisation, for what was taken under it may be held still; it is enough for the end of
 * the lock's life, as it is for a free, and where it is not certain that the bytes of the
 * lock are meant at all. */
#include "engine/lockset/lockset.h"
#include "engine/lockset/pair.h"

typedef struct {
  const Flow *flow;
  Map first;          /* object to the first of its uses, + 1 */
  VEC(uint32_t) next; /* by use: the next one of the same object, + 1 */
} Uses;

static void uses_note(Uses *u) {
  for (uint32_t i = 0; i < u->flow->things.len; i++) {
    const FlowAccess *x = &u->flow->things.data[i];
    uint64_t *slot = x->kind & FLOW_READ ? map_at(&u->first, x->object) : NULL;
    vec_push(&u->next, slot ? (uint32_t)*slot : 0);
    if (slot)
      *slot = i + 1;
  }
}

static bool initialises(const Flow *flow, const FlowAccess *x) {
  const Edge *e = program_edge(flow->program, x->edge);
  return e->op == OP_LOCK_INIT || e->op == OP_BARRIER_INIT ||
         ((e->op == OP_COPY || e->op == OP_FILL) && x->exact);
}

static bool is_in_use(const Uses *u, const FlowAccess *x) {
  const Flow *flow = u->flow;
  if (!(x->kind & FLOW_WRITE) || x->fresh || x->object == AOBJECT_UNKNOWN ||
      (!x->alive && !flow->threads.data[x->thread].site))
    return false;
  for (uint64_t i = map_find(&u->first, x->object, 0); i; i = u->next.data[i - 1]) {
    PairReason reason = pair_decide(flow, x, &flow->things.data[i - 1]);
    if (reason == PAIR_RACES || (reason == PAIR_GUARDED && initialises(flow, x)))
      return true;
  }
  return false;
}

/* The first such write in the list, kinds `without` left out. */
static EdgeId find(const Flow *flow, const FlowAccess *list, uint32_t count,
                   uint32_t without) {
  Uses uses = {.flow = flow};
  EdgeId found = 0;
  uses_note(&uses);
  for (uint32_t i = 0; i < count && uses.first.len && !found; i++)
    if (!(list[i].kind & without) && is_in_use(&uses, &list[i]))
      found = list[i].edge;
  map_free(&uses.first);
  vec_free(&uses.next);
  return found;
}

EdgeId lockset_overwritten(const Flow *flow) {
  return find(flow, flow->accesses.data, flow->accesses.len, FLOW_FREE);
}

EdgeId lockset_renewed(const Flow *flow) {
  EdgeId found = find(flow, flow->things.data, flow->things.len, 0);
  return found ? found : find(flow, flow->accesses.data, flow->accesses.len, 0);
}
