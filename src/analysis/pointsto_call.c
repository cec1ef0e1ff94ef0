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

void pt_call_record(Solver *s, EdgeId edge, FuncId function) {
  uint64_t *known = map_at(&s->called, pair_key(edge, function));
  if (*known) return;
  *known = 1;
  vec_push(&s->calls, (CallPair){edge, function});
}

/* ---- the outside ---- */

void pt_unknown_to_params(Solver *s, FuncId function) {
  const Function *f = function_at(s, function);
  NodeNo any = 0;
  for (uint32_t i = 0; i < f->param_count; i++) {
    LocalId param = f->first_local + i;
    const Local *local = vec_at(&s->p->locals, param);
    uint32_t slots = slots_of(local->bits);
    if (local->bits < 64) continue;
    if (!any) {
      any = pt_node_new(s, 1);
      pt_node_add(s, any, LOC_UNKNOWN);
    }
    for (uint32_t k = 0; k < slots; k++)
      pt_node_copy(s, any, pt_local_node(s, param) + k);
    if (s->shadow_node[param]) pt_node_copy(s, any, s->shadow_node[param]);
  }
}

static void results_escape(Solver *s, FuncId function) {
  uint32_t slots = slots_of(function_at(s, function)->return_bits);
  for (uint32_t i = 0; i < slots; i++)
    pt_node_copy(s, pt_result_node(s, function) + i, s->escaped);
}

void pt_function_escape(Solver *s, FuncId function) {
  for (uint32_t i = 0; i < s->escaped_functions.len; i++)
    if (s->escaped_functions.data[i] == function) return;
  vec_push(&s->escaped_functions, function);
  for (uint32_t i = 0; i < s->unknown_calls.len; i++) {
    UnknownCall call = s->unknown_calls.data[i];
    if (call.effect == ANY_CALLBACK)
      pt_call_record(s, call.edge, function);
    else if (call.effect)
      pt_callback_bind(s, call.edge, call.effect - 1, function);
    else if (pt_call_fits(s, program_edge(s->p, call.edge), function))
      pt_call_bind(s, call.edge, function);
  }
  pt_function_reach(s, function);
  if (!(function_at(s, function)->flags & FUNCTION_DEFINED)) return;
  pt_wrapper_materialise(s, function, 0);
  pt_unknown_to_params(s, function);
  if (function_at(s, function)->flags & FUNCTION_VARARGS)
    pt_node_add(s, pt_object_word(s, pt_varargs_area(s, function), 0), LOC_UNKNOWN);
  results_escape(s, function);
}

static void arguments_escape(Solver *s, const Edge *e) {
  if (e->op == OP_CREATE) {
    pt_node_copy(s, pt_expr_node(s, e->c), s->escaped);
    pt_node_add(s, s->thread_results, LOC_UNKNOWN);
    return;
  }
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    NodeNo node = pt_expr_node(s, value);
    uint32_t slots = slots_of(program_expr(s->p, value)->bits);
    for (uint32_t k = 0; node && k < slots; k++) pt_node_copy(s, node + k, s->escaped);
  }
}

static void unknown_result(Solver *s, const Edge *e) {
  if (!e->dst || e->op != OP_CALL || vec_at(&s->p->locals, e->dst)->bits < 64) return;
  uint32_t slots = slots_of(vec_at(&s->p->locals, e->dst)->bits);
  NodeNo any = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++) pt_node_add(s, any + i, LOC_UNKNOWN);
  pt_flow_to_local(s, any, slots, e->dst);
}

void pt_call_bind_unknown(Solver *s, EdgeId edge, uint32_t effect) {
  for (uint32_t i = 0; i < s->unknown_calls.len; i++)
    if (s->unknown_calls.data[i].edge == edge &&
        s->unknown_calls.data[i].effect == effect)
      return;
  s->unknown_call[edge] = 1;
  vec_push(&s->unknown_calls, (UnknownCall){edge, effect});
  const Edge *e = program_edge(s->p, edge);
  arguments_escape(s, e);
  unknown_result(s, e);
  for (uint32_t i = 0; i < s->escaped_functions.len; i++) {
    if (effect)
      pt_callback_bind(s, edge, effect - 1, s->escaped_functions.data[i]);
    else if (pt_call_fits(s, e, s->escaped_functions.data[i]))
      pt_call_bind(s, edge, s->escaped_functions.data[i]);
  }
}

/* A function of which nothing is known may call all that is known outside, with anything. */
static void may_call_back(Solver *s, EdgeId edge) {
  for (uint32_t i = 0; i < s->unknown_calls.len; i++)
    if (s->unknown_calls.data[i].edge == edge &&
        s->unknown_calls.data[i].effect == ANY_CALLBACK)
      return;
  vec_push(&s->unknown_calls, (UnknownCall){edge, ANY_CALLBACK});
  for (uint32_t i = 0; i < s->escaped_functions.len; i++)
    pt_call_record(s, edge, s->escaped_functions.data[i]);
}

/* Inline assembly and the like: its operands, and what is stored where they point to, may end
 * up in each other and in its result, and nowhere else. */
static void mix_operands(Solver *s, EdgeId edge, const Edge *e) {
  AObject buffer = pt_copy_buffer(s, edge, 3);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    NodeNo node = pt_expr_node(s, value);
    uint32_t slots = slots_of(program_expr(s->p, value)->bits);
    for (uint32_t k = 0; node && k < slots; k++) {
      pt_node_copy(s, node + k, pt_object_any(s, buffer));
      Use use = {.kind = USE_COPY_FROM, .object = buffer, .size = UINT32_MAX};
      pt_node_use(s, node + k, use);
      use.kind = USE_COPY_TO;
      pt_node_use(s, node + k, use);
    }
  }
  if (!e->dst || vec_at(&s->p->locals, e->dst)->bits < 64) return;
  uint32_t slots = slots_of(vec_at(&s->p->locals, e->dst)->bits);
  NodeNo result = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++)
    pt_node_copy(s, pt_object_all(s, buffer), result + i);
  pt_flow_to_local(s, result, slots, e->dst);
}

/* ---- which functions a call through a pointer can mean ---- */

static bool is_float(uint8_t sort) {
  return sort == SORT_FLOAT || sort == SORT_BFLOAT;
}

/* The call would be defined, or at least work: an argument for each parameter, numbers and
 * floats in their registers, and a result where one is used. More arguments than parameters
 * do no harm in practice. */
bool pt_call_fits(const Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  if (e->op != OP_CALL || !(f->flags & FUNCTION_DEFINED)) return true;
  bool fits = f->param_count <= e->arg_count;
  for (uint32_t i = 0; fits && i < f->param_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    uint8_t sort = vec_at(&s->p->locals, f->first_local + i)->sort;
    fits = is_float(sort) == is_float(program_expr(s->p, value)->sort);
  }
  if (!fits || !e->dst) return fits;
  const Local *dst = vec_at(&s->p->locals, e->dst);
  return f->return_bits && is_float(f->return_sort) == is_float(dst->sort) &&
         (f->return_bits > 64) == (dst->bits > 64);
}

/* ---- calls of functions with a body ---- */

/* Arguments behind the named ones lie in the callee's variable arguments, in any order. */
static void bind_varargs(Solver *s, const Edge *e, FuncId function) {
  uint32_t named = function_at(s, function)->param_count;
  AObject area = pt_varargs_area(s, function);
  for (uint32_t i = named; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&s->p->args, e->first_arg + i);
    NodeNo node = pt_expr_node(s, arg->value);
    if (!node) continue;
    if (arg->passing.byval_size) {
      pt_node_use(s, node,
                  (Use){.kind = USE_LOAD_ALL, .node = pt_object_word(s, area, 0)});
      continue;
    }
    uint32_t slots = slots_of(program_expr(s->p, arg->value)->bits);
    for (uint32_t k = 0; k < slots; k++)
      pt_node_copy(s, node + k, pt_object_word(s, area, 0));
  }
}

static void bind_arguments(Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  for (uint32_t i = 0; i < f->param_count && i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    pt_flow_to_local(s, pt_expr_node(s, value), slots_of(program_expr(s->p, value)->bits),
                     f->first_local + i);
  }
  if (f->flags & FUNCTION_VARARGS) bind_varargs(s, e, function);
}

static void bind_result(Solver *s, EdgeId edge, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  bool direct = program_expr(s->p, e->a)->kind == EXPR_FUNC;
  if (direct && pt_wrapper_call(s, edge, function)) return;
  if (s->wrappers[function].level) {
    NodeNo result = pt_node_new(s, 1);
    pt_wrapper_materialise(s, function, result);
    pt_node_copy(s, s->wrappers[function].rest, result);
    pt_flow_to_local(s, result, 1, e->dst);
    return;
  }
  if (e->dst && f->return_bits >= 8)
    pt_flow_to_local(s, pt_result_node(s, function), slots_of(f->return_bits), e->dst);
}

static void bind_thread(Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  if (f->param_count && e->c)
    pt_flow_to_local(s, pt_expr_node(s, e->c), slots_of(program_expr(s->p, e->c)->bits),
                     f->first_local);
  pt_wrapper_materialise(s, function, s->thread_results);
  if (f->return_bits >= 8)
    pt_node_copy(s, pt_result_node(s, function), s->thread_results);
}

/* Neither reads nor writes memory: said so, or an instruction of the processor that has no
 * address among its operands. */
bool pt_function_is_pure(const Solver *s, const Edge *e, FuncId function) {
  const Function *f = function_at(s, function);
  if (f->flags & FUNCTION_PURE) return true;
  if (strncmp(sym_text(s->p, f->name), "llvm.", 5) != 0) return false;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (program_expr(s->p, vec_at(&s->p->args, e->first_arg + i)->value)->sort ==
        SORT_PTR)
      return false;
  return true;
}

void pt_call_bind(Solver *s, EdgeId edge, FuncId function) {
  if (map_get(&s->called, pair_key(edge, function))) return;
  pt_call_record(s, edge, function);
  pt_function_reach(s, function);
  const Edge *e = program_edge(s->p, edge);
  const Function *f = function_at(s, function);
  bool defined = f->flags & FUNCTION_DEFINED;
  if (e->op == OP_CREATE) {
    if (defined)
      bind_thread(s, e, function);
    else
      arguments_escape(s, e);
  } else if (e->op == OP_ONCE) {
    if (defined) pt_wrapper_materialise(s, function, 0);
  } else if (defined) {
    bind_arguments(s, e, function);
    bind_result(s, edge, e, function);
  } else {
    pt_library_call(s, edge, function);
    if ((f->flags & FUNCTION_UNKNOWN) && !pt_function_is_pure(s, e, function)) {
      if (f->flags & FUNCTION_QUIET) {
        mix_operands(s, edge, e);
      } else {
        arguments_escape(s, e);
        unknown_result(s, e);
        may_call_back(s, edge);
      }
    }
  }
}

void pt_call_constraints(Solver *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  ExprId callee = e->op == OP_CALL ? e->a : e->b;
  ExprId others[2] = {e->op == OP_CALL ? 0 : e->a, e->op == OP_CREATE ? e->c : 0};
  for (int i = 0; i < 2; i++)
    if (others[i]) pt_expr_node(s, others[i]);
  for (uint32_t i = 0; i < e->arg_count; i++)
    pt_expr_node(s, vec_at(&s->p->args, e->first_arg + i)->value);
  const Expr *x = program_expr(s->p, callee);
  if (x->kind == EXPR_FUNC)
    pt_call_bind(s, id, (FuncId)x->data);
  else
    pt_node_use(s, pt_expr_node(s, callee), (Use){.kind = USE_CALL, .edge = id});
}

/* ---- the program's beginning and end ---- */

/* argv or the environment: an array of pointers to texts. */
static NodeNo text_array(Solver *s) {
  AObject array = pt_object_new(s, AOBJECT_ARGUMENTS, 0, true, UINT32_MAX);
  AObject text = pt_object_new(s, AOBJECT_ARGUMENTS, 0, true, UINT32_MAX);
  pt_object_set_period(s, array, 8);
  pt_object_set_period(s, text, 1);
  pt_node_add(s, pt_object_word(s, array, 0), pt_loc_of(s, text, 0));
  NodeNo node = pt_node_new(s, 1);
  pt_node_add(s, node, pt_loc_of(s, array, 0));
  return node;
}

static void start(Solver *s, FuncId function, NodeNo argv, NodeNo env) {
  const Function *f = function_at(s, function);
  pt_function_reach(s, function);
  pt_wrapper_materialise(s, function, 0);
  NodeNo values[3] = {0, argv, env};
  for (uint32_t i = 0; i < f->param_count && i < 3; i++)
    pt_flow_to_local(s, values[i], 1, f->first_local + i);
}

void pt_roots_reach(Solver *s) {
  const Program *p = s->p;
  NodeNo argv = text_array(s), env = text_array(s);
  for (uint32_t i = 0; i < p->constructors.len; i++)
    if (p->constructors.data[i].function)
      start(s, p->constructors.data[i].function, argv, env);
  for (uint32_t i = 0; i < p->destructors.len; i++)
    if (p->destructors.data[i].function) start(s, p->destructors.data[i].function, 0, 0);
  if (p->main) start(s, p->main, argv, env);
  if (p->main && !(function_at(s, p->main)->flags & FUNCTION_INTERNAL)) return;
  /* a library: others may call everything that they can name, with anything that they know */
  for (FuncId f = 1; f < p->functions.len; f++) {
    uint32_t flags = p->functions.data[f].flags;
    if ((flags & FUNCTION_DEFINED) && !(flags & FUNCTION_INTERNAL))
      pt_node_add(s, s->escaped, pt_loc_function(f));
  }
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_GLOBAL &&
        !(p->objects.data[o].flags & (OBJECT_INTERNAL | OBJECT_LITERAL)))
      pt_node_add(s, s->escaped, pt_loc_of(s, o, 0));
}
