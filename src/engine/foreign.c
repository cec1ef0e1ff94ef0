/* See foreign.h.
 *
 * A release is in order if its thread surely holds the lock: the address can only be one
 * place, and every state that flow has found there holds the lock of that place. Up to
 * the first release that is not, lock sets are right; what that one releases is among the
 * objects collected here, so all the others stay right behind it as well. A thread that got
 * a lock from its creator holds it (flow.h), so its release of that one is in order. */
#include "engine/foreign.h"

#include "analysis/flow_view.h"
#include "analysis/single.h"
#include "base/map.h"

#include <assert.h>

typedef struct {
  Flow *flow;
  uint8_t *objects; /* by ObjectId: holds a lock that may be released by anybody */
  bool all;         /* any lock may be */
  uint32_t count;
  Map lists; /* of locks: first << 32 | count, to the same without those locks, + 1 */
} Foreign;

/* object + constant, as it is written in the program. */
static bool written_place(const Program *p, ExprId address, ObjectId *ret_object,
                          uint64_t *ret_offset) {
  *ret_offset = 0;
  for (int depth = 0; depth < 16; depth++) {
    const Expr *e = program_expr(p, address);
    if (e->kind == EXPR_OBJECT) {
      *ret_object = (ObjectId)e->data;
      return true;
    }
    if (e->kind == EXPR_PTRADD) {
      const Expr *distance = program_expr(p, e->b);
      if (distance->kind != EXPR_CONST) return false;
      *ret_offset += distance->value;
    } else if (e->kind != EXPR_BITCAST) {
      return false;
    }
    address = e->a;
  }
  return false;
}

/* The only place that an address can be; false: there are several, or none is known. */
static bool place_of_lock(const Flow *flow, const Edge *e, ObjectId *ret_object,
                          uint64_t *ret_offset) {
  if (written_place(flow->program, e->a, ret_object, ret_offset)) return true;
  uint32_t offset;
  if (!single_target(flow->program, flow->pointsto, e->a, ret_object, &offset))
    return false;
  *ret_offset = offset;
  return true;
}

static bool holds(const FlowViewState *s, ObjectId object, uint64_t offset) {
  for (uint32_t i = 0; i < s->lock_count; i++) {
    const FlowLock *l = &s->locks[i];
    if (l->unique && l->name.known && !flow_is_symbol(l->name.base) &&
        flow_base_id(l->name.base) == object && (uint64_t)l->name.offset == offset &&
        !l->name.index)
      return true;
  }
  return false;
}

static bool is_in_order(const Flow *flow, uint32_t context, NodeId node, const Edge *e) {
  ObjectId object;
  uint64_t offset;
  if (!place_of_lock(flow, e, &object, &offset)) return false;
  const uint32_t *states;
  uint32_t n = flow_view_node(flow, context, node, &states);
  for (uint32_t i = 0; i < n; i++) {
    FlowViewState s = flow_view_state(flow, states[i]);
    if (!holds(&s, object, offset)) return false;
  }
  return true;
}

static void note_targets(Foreign *f, ExprId address) {
  const PointsTo *pointsto = f->flow->pointsto;
  Targets t = pointsto_expr(pointsto, address);
  f->count++;
  f->all = f->all || t.unknown;
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    AObjectKind kind = pointsto_object_kind(pointsto, t.targets[i].object);
    if (kind == AOBJECT_PROGRAM || kind == AOBJECT_CONTEXT)
      f->objects[pointsto_object(pointsto, t.targets[i].object)] = 1;
    else
      f->all = true;
  }
}

static void survey(Foreign *f) {
  const Flow *flow = f->flow;
  const Program *p = flow->program;
  for (uint32_t c = 0; c < flow_view_context_count(flow); c++) {
    const Function *function = vec_at(&p->functions, flow_view_context(flow, c).function);
    for (NodeId n = function->first_node; n < function->first_node + function->node_count;
         n++)
      for (EdgeId id = node_first_edge(p, n); id < node_end_edge(p, n); id++) {
        const Edge *e = program_edge(p, id);
        if (e->op == OP_UNLOCK && !is_in_order(flow, c, n, e)) note_targets(f, e->a);
      }
  }
}

static bool is_foreign(const Foreign *f, const FlowLock *l) {
  bool named = l->unique && l->name.known && !flow_is_symbol(l->name.base);
  return f->all || !named || f->objects[flow_base_id(l->name.base)];
}

static void drop(Foreign *f, uint32_t *first, uint32_t *count) {
  Flow *flow = f->flow;
  if (!*count) return;
  uint64_t *list = map_at(&f->lists, (uint64_t)*first << 32 | *count);
  if (!*list) {
    uint32_t kept = flow->locks.len;
    for (uint32_t i = 0; i < *count; i++) {
      FlowLock l = flow->locks.data[*first + i];
      if (!is_foreign(f, &l)) vec_push(&flow->locks, l);
    }
    *list = ((uint64_t)kept << 32 | (flow->locks.len - kept)) + 1;
  }
  assert(*list);
  *first = (uint32_t)((*list - 1) >> 32);
  *count = (uint32_t)(*list - 1);
}

uint32_t foreign_drop_locks(Flow *flow) {
  Foreign f = {.flow = flow};
  f.objects = mem_alloc_zero(flow->program->objects.len + 1);
  survey(&f);
  if (f.count) {
    for (uint32_t i = 0; i < flow->accesses.len; i++)
      drop(&f, &flow->accesses.data[i].first_lock, &flow->accesses.data[i].lock_count);
    for (uint32_t i = 0; i < flow->acquires.len; i++) {
      FlowAcquire *x = &flow->acquires.data[i];
      drop(&f, &x->first_lock, &x->lock_count);
      if (is_foreign(&f, &x->lock)) x->lock.unique = 0;
    }
    flow->exact_locks = false;
  }
  flow->unlocks_any = true;
  if (!flow->hands_over) flow->foreign_unlock = 0; /* it was reckoned with */
  map_free(&f.lists);
  mem_free(f.objects);
  return f.count;
}
