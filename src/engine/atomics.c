/* See atomics.h. */
#include "engine/atomics.h"

#include <string.h>

static bool is_atomic(const Edge *e) {
  return e->op == OP_RMW || e->op == OP_CMPXCHG ||
         ((e->op == OP_LOAD || e->op == OP_STORE) && e->order != ORDER_NONE);
}

/* How much an atomic access orders: all, both sides of what it does, or less than that. */
typedef enum { STRENGTH_WEAK, STRENGTH_HANDS_OVER, STRENGTH_TOTAL } Strength;

static Strength strength_of(const Edge *e) {
  bool total = e->order == ORDER_SEQ_CST;
  switch ((OpKind)e->op) {
  case OP_LOAD: return total ? STRENGTH_TOTAL : order_acquires(e->order);
  case OP_STORE: return total ? STRENGTH_TOTAL : order_releases(e->order);
  case OP_CMPXCHG:
    if (total && e->order_fail == ORDER_SEQ_CST) return STRENGTH_TOTAL;
    return order_acquires(e->order) && order_releases(e->order) &&
           order_acquires(e->order_fail);
  case OPS_CONTROL:
  case OP_RMW:
  case OP_FENCE:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return total ? STRENGTH_TOTAL : order_acquires(e->order) && order_releases(e->order);
}

typedef struct {
  Target only; /* the place of all atomic accesses, if there is but one */
  uint32_t places;
  Strength weakest;
} Atomics;

static void note_atomic(const Program *p, const PointsTo *pointsto, Atomics *a,
                        const Edge *e, uint8_t *weak) {
  Targets t = pointsto_expr(pointsto, e->a);
  Strength strength = strength_of(e);
  if (strength < a->weakest) a->weakest = strength;
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *x = &t.targets[i];
    ObjectId object = x->function ? 0 : pointsto_object(pointsto, x->object);
    bool same = a->places == 1 && a->only.object == x->object &&
                a->only.offset == x->offset && x->offset != OFFSET_ANY;
    a->only = *x;
    a->places += !same;
    if (strength != STRENGTH_TOTAL) weak[object] = 1;
  }
  if (!t.unknown) return;
  a->places += 2;
  for (ObjectId o = 1; o < p->objects.len && strength != STRENGTH_TOTAL; o++)
    if (pointsto_escapes(pointsto, o)) weak[o] = 1;
}

void atomics_find_weak(const Program *p, const PointsTo *pointsto,
                       AtomicsSingle *is_single, void *user, uint8_t *ret_weak) {
  Atomics a = {.weakest = STRENGTH_TOTAL};
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(pointsto, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      if (is_atomic(e)) note_atomic(p, pointsto, &a, e, ret_weak);
    }
  }
  ObjectId object = a.places == 1 ? pointsto_object(pointsto, a.only.object) : 0;
  if (object && is_single(user, object, a.only.offset) &&
      a.weakest >= STRENGTH_HANDS_OVER)
    memset(ret_weak, 0, p->objects.len + 1);
}
