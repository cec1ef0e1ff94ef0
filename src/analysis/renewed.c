/* Locks and their like that are made anew, destroyed or overwritten while others use them.
 *
 * In: the uses of objects of synchronisation (Flow.things) and the writes to memory. Such a write
 * must be ordered with every use of the lock by another thread: afterwards the lock is free,
 * or no lock at all, whoever holds it. A common lock around both does not help against an
 * initialisation, for what was taken under it may be held still; it is enough for the end of
 * the lock's life, as it is for a free, and where it is not certain that the bytes of the
 * lock are meant at all. */
#include "analysis/renewed.h"

#include "analysis/pair.h"
#include "base/map.h"

typedef struct {
  const Flow *flow;
  bool events; /* of conditions and semaphores, else of what orders are built upon */
  Map first;   /* object to the first of its uses, + 1 */
  VEC(uint32_t) next; /* by use: the next one of the same object, + 1 */
} Uses;

static bool is_event(const Flow *flow, const FlowAccess *x) {
  SyncKind kind = op_sync_kind((OpKind)program_edge(flow->program, x->edge)->op);
  return kind == SYNC_COND || kind == SYNC_SEM;
}

static void uses_note(Uses *u) {
  for (uint32_t i = 0; i < u->flow->things.len; i++) {
    const FlowAccess *x = &u->flow->things.data[i];
    bool used = (x->kind & FLOW_READ) && is_event(u->flow, x) == u->events;
    uint64_t *slot = used ? map_at(&u->first, x->object) : NULL;
    vec_push(&u->next, slot ? (uint32_t)*slot : 0);
    if (slot) *slot = i + 1;
  }
}

static bool initialises(const Flow *flow, const FlowAccess *x) {
  const Edge *e = program_edge(flow->program, x->edge);
  return op_has(e->op, OP_INITS) || ((e->op == OP_COPY || e->op == OP_FILL) && x->exact);
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

/* The first such write in the list. */
static EdgeId find(const Flow *flow, const FlowAccess *list, uint32_t count,
                   bool events) {
  Uses uses = {.flow = flow, .events = events};
  EdgeId found = 0;
  uses_note(&uses);
  for (uint32_t i = 0; i < count && uses.first.len && !found; i++)
    if (is_in_use(&uses, &list[i])) found = list[i].edge;
  map_free(&uses.first);
  vec_free(&uses.next);
  return found;
}

EdgeId flow_renewed_lock(const Flow *flow) {
  EdgeId found = find(flow, flow->things.data, flow->things.len, false);
  return found ? found : find(flow, flow->accesses.data, flow->accesses.len, false);
}

EdgeId flow_renewed_event(const Flow *flow) {
  return find(flow, flow->things.data, flow->things.len, true);
}
