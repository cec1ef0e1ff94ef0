/* Locks and their like that are made anew, destroyed or overwritten while others use them.
 *
 * In: the uses of objects of synchronisation (Flow.things) and the writes to memory. Such a write
 * must be ordered with every use of the lock by another thread: afterwards the lock is free,
 * or no lock at all, whoever holds it. And with every other such write: nobody may make or end
 * a lock while another one does. A common lock around both does not help against an
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
    bool known = (x->kind & FLOW_READ) || ((x->kind & FLOW_WRITE) && !x->fresh);
    bool used = known && is_event(u->flow, x) == u->events;
    uint64_t *slot = used ? map_at(&u->first, x->object) : NULL;
    vec_push(&u->next, slot ? (uint32_t)*slot : 0);
    if (slot) *slot = i + 1;
  }
}

static bool initialises(const Flow *flow, const FlowAccess *x) {
  const Edge *e = program_edge(flow->program, x->edge);
  return op_has(e->op, OP_INITS) || ((e->op == OP_COPY || e->op == OP_FILL) && x->exact);
}

/* A write to an object of the program that others can see. */
static bool may_renew(const Flow *flow, const FlowAccess *x) {
  return (x->kind & FLOW_WRITE) && !x->fresh && x->object != AOBJECT_UNKNOWN &&
         (x->alive || flow->threads.data[x->thread].site);
}

static bool is_in_use(const Uses *u, const FlowAccess *x) {
  const Flow *flow = u->flow;
  if (!may_renew(flow, x)) return false;
  for (uint64_t i = map_find(&u->first, x->object, 0); i; i = u->next.data[i - 1]) {
    const FlowAccess *use = &flow->things.data[i - 1];
    PairReason reason = pair_decide(flow, x, use);
    bool taken = (use->kind & FLOW_READ) && initialises(flow, x);
    if (reason == PAIR_RACES || (reason == PAIR_GUARDED && taken)) return true;
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

/* A lock is made in memory of unknown origin, which may be any lock. */
static EdgeId renewed_somewhere(const Flow *flow) {
  for (uint32_t i = 0; i < flow->things.len; i++) {
    const FlowAccess *x = &flow->things.data[i];
    if (x->object == AOBJECT_UNKNOWN && (x->kind & FLOW_WRITE) && !is_event(flow, x) &&
        (x->alive || flow->threads.data[x->thread].site))
      return x->edge;
  }
  return 0;
}

EdgeId flow_renewed_lock(const Flow *flow) {
  EdgeId found = renewed_somewhere(flow);
  if (!found) found = find(flow, flow->things.data, flow->things.len, false);
  return found ? found : find(flow, flow->accesses.data, flow->accesses.len, false);
}

EdgeId flow_renewed_event(const Flow *flow) {
  return find(flow, flow->things.data, flow->things.len, true);
}

typedef struct {
  RenewedPairs *ret;
  uint32_t most;
  Map seen; /* pairs of edges that are listed: contexts and objects do not matter */
} Listing;

static void list_pairs(const Uses *u, const FlowAccess *list, uint32_t count,
                       Listing *l) {
  for (uint32_t i = 0; i < count && !flow_stopped(u->flow); i++) {
    if (!may_renew(u->flow, &list[i])) continue;
    uint64_t use = map_find(&u->first, list[i].object, 0);
    for (; use && l->ret->len < l->most; use = u->next.data[use - 1]) {
      const FlowAccess *x = &u->flow->things.data[use - 1];
      uint64_t key = (uint64_t)list[i].edge << 32 | x->edge;
      if (map_get(&l->seen, key) || pair_decide(u->flow, &list[i], x) != PAIR_RACES)
        continue;
      map_put(&l->seen, key, 1);
      vec_push(l->ret, ((RenewedPair){list[i].edge, x->edge}));
    }
  }
}

void flow_renewed_pairs(const Flow *flow, uint32_t most, RenewedPairs *ret) {
  Listing l = {.ret = ret, .most = most};
  for (int events = 0; events < 2; events++) {
    Uses uses = {.flow = flow, .events = events};
    uses_note(&uses);
    list_pairs(&uses, flow->things.data, flow->things.len, &l);
    list_pairs(&uses, flow->accesses.data, flow->accesses.len, &l);
    map_free(&uses.first);
    vec_free(&uses.next);
  }
  map_free(&l.seen);
}
