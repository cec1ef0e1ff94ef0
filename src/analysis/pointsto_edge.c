/* The constraints of a function's edges, made when the function is found to be reachable.
 * Calls are in pointsto_call.c. */
#include "analysis/pointsto_internal.h"

void pt_function_reach(Solver *s, FuncId function) {
  if (s->reached[function]) return;
  s->reached[function] = 1;
  if (vec_at(&s->p->functions, function)->flags & FUNCTION_DEFINED)
    vec_push(&s->to_reach, function);
}

NodeNo pt_result_node(Solver *s, FuncId function) {
  if (!s->return_node[function]) {
    uint32_t bits = vec_at(&s->p->functions, function)->return_bits;
    s->return_node[function] = pt_node_new(s, slots_of(bits));
  }
  return s->return_node[function];
}

NodeNo pt_moved(Solver *s, NodeNo from, Move move) {
  if (!from) return 0;
  NodeNo to = pt_node_new(s, 1);
  pt_node_shift(s, from, to, &move);
  return to;
}

void pt_store_at(Solver *s, NodeNo address, NodeNo value, uint32_t size) {
  if (value)
    pt_node_use(s, address, (Use){.kind = USE_STORE, .node = value, .size = size});
}

NodeNo pt_load_from(Solver *s, NodeNo address, uint32_t size) {
  if (!address) return 0;
  NodeNo to = pt_node_new(s, slots_of(size * 8));
  pt_node_use(s, address, (Use){.kind = USE_LOAD, .node = to, .size = size});
  return to;
}

/* The bytes that a constant says; UINT32_MAX when it is none. */
uint32_t pt_constant_size(const Solver *s, ExprId expr) {
  const Expr *e = program_expr(s->p, expr);
  return e->kind == EXPR_CONST && e->value < UINT32_MAX ? (uint32_t)e->value : UINT32_MAX;
}

/* Loads through equal address expressions share their node. */
static NodeNo load_of(Solver *s, ExprId address, uint32_t size) {
  uint64_t key = pair_key(address, size);
  uint64_t known = map_find(&s->load_nodes, key, 0);
  if (known) return (NodeNo)known;
  NodeNo node = pt_load_from(s, pt_expr_node(s, address), size);
  if (size < 8) node = pt_moved(s, node, (Move){.kind = MOVE_PART});
  map_put(&s->load_nodes, key, node);
  return node;
}

static void load(Solver *s, const Edge *e) {
  if (!e->dst)
    pt_expr_node(s, e->a);
  else
    pt_flow_to_local(s, load_of(s, e->a, e->size), slots_of(e->size * 8), e->dst);
}

static void store_expr(Solver *s, const Edge *e, ExprId value) {
  NodeNo address = pt_expr_node(s, e->a), node = pt_expr_node(s, value);
  uint32_t bits = program_expr(s->p, value)->bits;
  uint32_t size = e->size < slots_of(bits) * 8 ? e->size : slots_of(bits) * 8;
  pt_store_at(s, address, node, size);
}

/* Old value to dst; what is stored is made of the old value and the operand. */
static void rmw(Solver *s, const Edge *e) {
  static const Move any = {.kind = MOVE_ANY};
  NodeNo old = load_of(s, e->a, e->size), operand = pt_expr_node(s, e->b);
  pt_flow_to_local(s, old, slots_of(e->size * 8), e->dst);
  if (e->aux == RMW_XCHG) {
    store_expr(s, e, e->b);
    return;
  }
  if (!old || e->aux >= RMW_FADD) return;
  NodeNo result = pt_node_new(s, 1);
  bool picks = e->aux >= RMW_SMAX && e->aux <= RMW_UMIN;
  bool adds = (e->aux == RMW_ADD || e->aux == RMW_SUB) && e->size == 8;
  Move by = picks ? (Move){.kind = MOVE_ADD} : adds ? pt_offset_move(s, e->b) : any;
  if (e->aux == RMW_SUB && adds) by.add = (int64_t)(0 - (uint64_t)by.add);
  pt_node_shift(s, old, result, &by);
  pt_node_shift(s, operand, result, picks ? &by : &any);
  pt_store_at(s, pt_expr_node(s, e->a), result, e->size < 8 ? e->size : 8);
}

static void copy(Solver *s, EdgeId id, const Edge *e) {
  NodeNo to = pt_expr_node(s, e->a), from = pt_expr_node(s, e->b);
  uint32_t size = pt_constant_size(s, e->c);
  if (!to || !from || size == 0) return;
  AObject buffer = pt_copy_buffer(s, id, 0);
  pt_node_use(s, from, (Use){.kind = USE_COPY_FROM, .object = buffer, .size = size});
  pt_node_use(s, to, (Use){.kind = USE_COPY_TO, .object = buffer, .size = size});
}

/* ---- variable arguments ---- */

enum { VA_LIST_BYTES = 24, VA_OVERFLOW_AREA = 8, VA_SAVE_AREA = 16 };

AObject pt_varargs_area(Solver *s, FuncId function) {
  if (!s->va_object[function]) {
    s->va_object[function] = pt_object_new(s, AOBJECT_VARARGS, 0, true, UINT32_MAX);
    s->objects.data[s->va_object[function]].function = function;
    pt_object_set_period(s, s->va_object[function],
                         1); /* the order of arguments is not told */
  }
  return s->va_object[function];
}

static void list_start(Solver *s, FuncId function, const Edge *e) {
  NodeNo list = pt_expr_node(s, e->a), area = pt_node_new(s, 1);
  pt_node_add(s, area, pt_loc_of(s, pt_varargs_area(s, function), 0));
  pt_store_at(s, pt_moved(s, list, (Move){.kind = MOVE_ADD, .add = VA_OVERFLOW_AREA}),
              area, 8);
  pt_store_at(s, pt_moved(s, list, (Move){.kind = MOVE_ADD, .add = VA_SAVE_AREA}), area,
              8);
}

static void list_copy(Solver *s, EdgeId id, const Edge *e) {
  AObject buffer = pt_copy_buffer(s, id, 0);
  Use use = {.kind = USE_COPY_FROM, .object = buffer, .size = VA_LIST_BYTES};
  pt_node_use(s, pt_expr_node(s, e->b), use);
  use.kind = USE_COPY_TO;
  pt_node_use(s, pt_expr_node(s, e->a), use);
}

/* ---- all edges ---- */

static void assign(Solver *s, const Edge *e) {
  NodeNo from = pt_expr_node(s, e->a);
  uint32_t slots = slots_of(program_expr(s->p, e->a)->bits);
  if (!e->dst || !from) return;
  if (!s->shadow_node[e->dst]) {
    pt_flow_to_local(s, from, slots, e->dst);
    return;
  }
  pt_node_copy(s, from, pt_local_node(s, e->dst));
  pt_node_copy(s, pt_shadow_expr(s, e->a), s->shadow_node[e->dst]);
}

static void return_value(Solver *s, FuncId function, const Edge *e) {
  NodeNo from = pt_expr_node(s, e->a);
  uint32_t slots = slots_of(program_expr(s->p, e->a)->bits);
  uint32_t have = slots_of(vec_at(&s->p->functions, function)->return_bits);
  for (uint32_t i = 0; from && i < slots && i < have; i++)
    pt_node_copy(s, from + i, pt_result_node(s, function) + i);
  if (s->wrappers[function].level)
    pt_node_copy(s, pt_shadow_expr(s, e->a), s->wrappers[function].rest);
}

static void havoc(Solver *s, const Edge *e) {
  if (!e->dst) return;
  const Local *dst = vec_at(&s->p->locals, e->dst);
  if (dst->sort == SORT_PTR) {
    NodeNo any = pt_node_new(s, 1);
    pt_node_add(s, any, LOC_UNKNOWN);
    pt_flow_to_local(s, any, 1, e->dst);
  } else if (dst->sort == SORT_INT && dst->bits >= 64) {
    pt_flow_to_local(s, pt_number_node(s, dst->bits), slots_of(dst->bits), e->dst);
  }
}

static void edge_constraints(Solver *s, FuncId function, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  switch ((OpKind)e->op) {
  case OP_ASSIGN: assign(s, e); return;
  case OP_HAVOC: havoc(s, e); return;
  case OP_RETURN:
    if (e->a) return_value(s, function, e);
    return;
  case OP_LOAD: load(s, e); return;
  case OP_STORE: store_expr(s, e, e->b); return;
  case OP_RMW: rmw(s, e); return;
  case OP_CMPXCHG:
    pt_flow_to_local(s, load_of(s, e->a, e->size), slots_of(e->size * 8), e->dst);
    store_expr(s, e, e->c);
    return;
  case OP_COPY: copy(s, id, e); return;
  case OP_VA_START: list_start(s, function, e); return;
  case OP_VA_COPY: list_copy(s, id, e); return;
  case OP_ALLOCA: {
    NodeNo area = pt_node_new(s, 1);
    pt_node_add(s, area, pt_loc_of(s, e->aux, 0));
    pt_flow_to_local(s, area, 1, e->dst);
    return;
  }
  case OP_CALL:
  case OP_CREATE:
  case OP_ONCE: pt_call_constraints(s, id); return;
  case OP_JOIN:
    if (e->b)
      pt_store_at(s, pt_expr_node(s, e->b), s->thread_results, e->size ? e->size : 8);
    return;
  case OP_EXIT_THREAD:
    if (e->a) pt_node_copy(s, pt_expr_node(s, e->a), s->thread_results);
    return;
  case OPS_MOVE:
  case OP_UNREACHABLE:
  case OP_FENCE:
  case OP_FILL:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE:
  case OP_VA_END:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OPS_USER:
  case OPS_SECTION:
  case OP_ASSERT:
  case OP_EXIT: { /* the rest moves no pointers, but its operands are asked for */
    ExprId operands[3] = {e->a, e->b, e->c};
    for (int i = 0; i < 3; i++)
      if (operands[i]) pt_expr_node(s, operands[i]);
    return;
  }
  }
}

void pt_function_constraints(Solver *s, FuncId function) {
  const Function *f = vec_at(&s->p->functions, function);
  for (uint32_t i = 0; i < f->edge_count; i++)
    edge_constraints(s, function, f->first_edge + i);
}
