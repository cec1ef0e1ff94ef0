/* Calls, thread creation, callbacks, and what code outside of the program can do.
 *
 * Direct calls are bound when their function is reached, indirect ones as functions arrive at
 * the pointer. What is known outside is in one node, `escaped`: objects in it may be read and
 * written by anybody, functions in it may be called with anything. A pointer from outside is
 * the loc UNKNOWN, which stands for all of that, so that nothing has to flow back. */
#include "analysis/pointsto_internal.h"

static const Function *function_at(const Solver *s, FuncId id) {
  return vec_at(&s->p->functions, id);
}

void call_record(Solver *s, EdgeId edge, FuncId function) {
  uint64_t *known = map_at(&s->called, pair_key(edge, function));
  if (*known)
    return;
  *known = 1;
  vec_push(&s->calls, (CallPair){edge, function});
}

/* ---- the outside ---- */

void unknown_to_params(Solver *s, FuncId function) {
  const Function *f = function_at(s, function);
  NodeNo any = 0;
  for (uint32_t i = 0; i < f->param_count; i++) {
    LocalId param = f->first_local + i;
    const Local *local = vec_at(&s->p->locals, param);
    uint32_t slots = slots_of(local->bits);
    if (local->bits < 64)
      continue;
    if (!any) {
      any = node_new(s, 1);
      node_add(s, any, LOC_UNKNOWN);
    }
    for (uint32_t k = 0; k < slots; k++)
      node_copy(s, any, local_node(s, param) + k);
    if (s->shadow_node[param])
      node_copy(s, any, s->shadow_node[param]);
  }
}

static void results_escape(Solver *s, FuncId function) {
  uint32_t slots = slots_of(function_at(s, function)->return_bits);
  for (uint32_t i = 0; i < slots; i++)
    node_copy(s, result_node(s, function) + i, s->escaped);
}

void function_escape(Solver *s, FuncId function) {
  for (uint32_t i = 0; i < s->escaped_functions.len; i++)
    if (s->escaped_functions.data[i] == function)
      return;
  vec_push(&s->escaped_functions, function);
  for (uint32_t i = 0; i < s->unknown_calls.len; i++) {
    UnknownCall call = s->unknown_calls.data[i];
    if (call.effect)
      callback_bind(s, call.edge, call.effect - 1, function);
    else
      call_bind(s, call.edge, function);
  }
  function_reach(s, function);
  if (!(function_at(s, function)->flags & FUNCTION_DEFINED))
    return;
  wrapper_materialise(s, function, 0);
  unknown_to_params(s, function);
  results_escape(s, function);
}

static void arguments_escape(Solver *s, const Edge *e) {
  if (e->op == OP_CREATE) {
    node_copy(s, expr_node(s, e->c), s->escaped);
    node_add(s, s->thread_results, LOC_UNKNOWN);
    return;
  }
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    NodeNo node = expr_node(s, value);
    uint32_t slots = slots_of(program_expr(s->p, value)->bits);
    for (uint32_t k = 0; node && k < slots; k++)
      node_copy(s, node + k, s->escaped);
  }
}

static void unknown_result(Solver *s, const Edge *e) {
  if (!e->dst || e->op != OP_CALL || vec_at(&s->p->locals, e->dst)->bits < 64)
    return;
  uint32_t slots = slots_of(vec_at(&s->p->locals, e->dst)->bits);
  NodeNo any = node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++)
    node_add(s, any + i, LOC_UNKNOWN);
  flow_to_local(s, any, slots, e->dst);
}

void call_bind_unknown(Solver *s, EdgeId edge, uint32_t effect) {
  for (uint32_t i = 0; i < s->unknown_calls.len; i++)
    if (s->unknown_calls.data[i].edge == edge && s->unknown_calls.data[i].effect == effect)
      return;
  s->unknown_call[edge] = 1;
  vec_push(&s->unknown_calls, (UnknownCall){edge, effect});
  const Edge *e = program_edge(s->p, edge);
  arguments_escape(s, e);
  unknown_result(s, e);
  for (uint32_t i = 0; i < s->escaped_functions.len; i++) {
    if (effect)
      callback_bind(s, edge, effect - 1, s->escaped_functions.data[i]);
    else
      call_bind(s, edge, s->escaped_functions.data[i]);
  }
}

/* ---- calls of functions with a body ---- */

/* Arguments behind the named ones lie in the callee's variable arguments, in any order. */
static void bind_varargs(Solver *s, const Edge *e, FuncId function) {
  uint32_t named = function_at(s, function)->param_count;
  AObject area = varargs_area(s, function);
  for (uint32_t i = named; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&s->p->args, e->first_arg + i);
    NodeNo node = expr_node(s, arg->value);
    if (!node)
      continue;
    if (arg->passing.byval_size) {
      node_use(s, node, (Use){.kind = USE_LOAD_ALL, .node = object_word(s, area, 0)});
      continue;
    }
    uint32_t slots = slots_of(program_expr(s->p, arg->value)->bits);
    for (uint32_t k = 0; k < slots; k++)
      node_copy(s, node + k, object_word(s, area, 0));
  }
}

static void bind_arguments(Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  for (uint32_t i = 0; i < f->param_count && i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    flow_to_local(s, expr_node(s, value), slots_of(program_expr(s->p, value)->bits),
                  f->first_local + i);
  }
  if (f->flags & FUNCTION_VARARGS)
    bind_varargs(s, e, function);
}

static void bind_result(Solver *s, EdgeId edge, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  bool direct = program_expr(s->p, e->a)->kind == EXPR_FUNC;
  if (direct && wrapper_call(s, edge, function))
    return;
  if (s->wrappers[function].level) {
    NodeNo result = node_new(s, 1);
    wrapper_materialise(s, function, result);
    node_copy(s, s->wrappers[function].rest, result);
    flow_to_local(s, result, 1, e->dst);
    return;
  }
  if (e->dst && f->return_bits >= 8)
    flow_to_local(s, result_node(s, function), slots_of(f->return_bits), e->dst);
}

static void bind_thread(Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  if (f->param_count && e->c)
    flow_to_local(s, expr_node(s, e->c), slots_of(program_expr(s->p, e->c)->bits),
                  f->first_local);
  wrapper_materialise(s, function, s->thread_results);
  if (f->return_bits >= 8)
    node_copy(s, result_node(s, function), s->thread_results);
}

void call_bind(Solver *s, EdgeId edge, FuncId function) {
  if (map_get(&s->called, pair_key(edge, function)))
    return;
  call_record(s, edge, function);
  function_reach(s, function);
  const Edge *e = program_edge(s->p, edge);
  const Function *f = function_at(s, function);
  bool defined = f->flags & FUNCTION_DEFINED;
  if (e->op == OP_CREATE) {
    if (defined)
      bind_thread(s, e, function);
    else
      arguments_escape(s, e);
  } else if (e->op == OP_ONCE) {
    if (defined)
      wrapper_materialise(s, function, 0);
  } else if (defined) {
    bind_arguments(s, e, function);
    bind_result(s, edge, e, function);
  } else {
    library_call(s, edge, function);
    if (f->flags & FUNCTION_UNKNOWN) {
      if (!(f->flags & FUNCTION_PURE))
        arguments_escape(s, e);
      unknown_result(s, e);
    }
  }
}

void call_constraints(Solver *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  ExprId callee = e->op == OP_CALL ? e->a : e->b;
  ExprId others[2] = {e->op == OP_CALL ? 0 : e->a, e->op == OP_CREATE ? e->c : 0};
  for (int i = 0; i < 2; i++)
    if (others[i])
      expr_node(s, others[i]);
  for (uint32_t i = 0; i < e->arg_count; i++)
    expr_node(s, vec_at(&s->p->args, e->first_arg + i)->value);
  const Expr *x = program_expr(s->p, callee);
  if (x->kind == EXPR_FUNC)
    call_bind(s, id, (FuncId)x->data);
  else
    node_use(s, expr_node(s, callee), (Use){.kind = USE_CALL, .edge = id});
}

/* ---- the program's beginning and end ---- */

/* argv or the environment: an array of pointers to texts. */
static NodeNo text_array(Solver *s) {
  AObject array = object_new(s, AOBJECT_ARGUMENTS, 0, true, UINT32_MAX);
  AObject text = object_new(s, AOBJECT_ARGUMENTS, 0, true, UINT32_MAX);
  object_set_period(s, array, 8);
  object_set_period(s, text, 1);
  node_add(s, object_word(s, array, 0), loc_of(s, text, 0));
  NodeNo node = node_new(s, 1);
  node_add(s, node, loc_of(s, array, 0));
  return node;
}

static void start(Solver *s, FuncId function, NodeNo argv, NodeNo env) {
  const Function *f = function_at(s, function);
  function_reach(s, function);
  wrapper_materialise(s, function, 0);
  NodeNo values[3] = {0, argv, env};
  for (uint32_t i = 0; i < f->param_count && i < 3; i++)
    flow_to_local(s, values[i], 1, f->first_local + i);
}

void roots_reach(Solver *s) {
  const Program *p = s->p;
  NodeNo argv = text_array(s), env = text_array(s);
  for (uint32_t i = 0; i < p->constructors.len; i++)
    if (p->constructors.data[i].function)
      start(s, p->constructors.data[i].function, argv, env);
  for (uint32_t i = 0; i < p->destructors.len; i++)
    if (p->destructors.data[i].function)
      start(s, p->destructors.data[i].function, 0, 0);
  if (p->main) {
    start(s, p->main, argv, env);
    return;
  }
  /* a library: everything that others can name may be called with anything */
  for (FuncId f = 1; f < p->functions.len; f++) {
    uint32_t flags = p->functions.data[f].flags;
    if ((flags & FUNCTION_DEFINED) && !(flags & FUNCTION_INTERNAL))
      node_add(s, s->escaped, loc_function(s, f));
  }
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_GLOBAL &&
        !(p->objects.data[o].flags & (OBJECT_INTERNAL | OBJECT_LITERAL)))
      node_add(s, s->escaped, loc_of(s, o, 0));
}
