/* Reads that find no values of the future. See weak.c.
 *
 * A cycle of happens-before and reads-from needs atomic reads of what another thread writes without
 * that being ordered: a thread that reads what it alone writes finds its own last value, whatever
 * the memory order. So a ring may read its own index by a relaxed load.
 *
 * In: the accesses that flow lists. A read is settled if every write that it may meet is made by the
 * same thread, or ordered with it by create, join or a one-time initialiser: then it reads what
 * happened before it. Atomic accesses count like all others here. */
#include "engine/interleave/interleave.h"

#include "analysis/pair.h"

/* What nobody knows when it happens, or where. */
static bool is_loose(const FlowAccess *x) {
  return x->object == AOBJECT_UNKNOWN ||
         (x->kind & (FLOW_WILD | FLOW_UNSURE | FLOW_LATER | FLOW_BESIDE));
}

static bool writes(const FlowAccess *x) {
  return x->kind & (FLOW_WRITE | FLOW_FREE);
}

static bool is_settled(const Flow *flow, const FlowAccess *read,
                       const FlowAccess *write) {
  FlowAccess a = *read, b = *write;
  if (a.object != b.object) return true;
  a.kind &= ~(uint32_t)(FLOW_ATOMIC | FLOW_SYNCED);
  b.kind &= ~(uint32_t)(FLOW_ATOMIC | FLOW_SYNCED);
  switch (pair_decide(flow, &a, &b)) {
  case PAIR_APART:
  case PAIR_OWN:
  case PAIR_ORDERED: return true;
  case PAIR_RACES:
  case PAIR_ATOMIC:
  case PAIR_GUARDED: break;
  }
  return false;
}

static bool meets_only_settled(const Flow *flow, const FlowAccess *read) {
  for (uint32_t i = 0; i < flow->accesses.len; i++) {
    const FlowAccess *x = &flow->accesses.data[i];
    if (writes(x) && (is_loose(x) || !is_settled(flow, read, x))) return false;
  }
  return !is_loose(read);
}

const uint8_t *interleave_settled(const Flow *flow, Arena *arena) {
  enum { UNSEEN, SETTLED, OPEN };
  if (!flow || !flow->complete) return NULL;
  uint8_t *by_edge = arena_alloc_zero(arena, flow->program->edges.len + 1);
  for (uint32_t i = 0; i < flow->accesses.len; i++) {
    const FlowAccess *x = &flow->accesses.data[i];
    if (!(x->kind & FLOW_ATOMIC) || !(x->kind & FLOW_READ) || by_edge[x->edge] == OPEN)
      continue;
    by_edge[x->edge] = meets_only_settled(flow, x) ? SETTLED : OPEN;
  }
  for (EdgeId e = 0; e < flow->program->edges.len; e++)
    by_edge[e] = by_edge[e] == SETTLED;
  return by_edge;
}
