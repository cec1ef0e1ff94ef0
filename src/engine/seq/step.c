/* One edge of a thread. See internal.h. */
#include "engine/seq/internal.h"

#include "base/mem.h"

void seq_step_set(Unwinder *u, State *s, LocalId local, Term value) {
  uint32_t bits = vec_at(&u->program->locals, local)->bits;
  s->locals[local - u->frame->f->first_local] = term_fit(u->terms, value, bits);
}

/* A parameter that travels as a copy of what the argument points to. */
static Term copy_of(Unwinder *u, State *s, EdgeId edge, Term from, uint32_t size) {
  uint32_t instance = seq_unwind_new_instance(u, 0, size, true);
  Term to = term_const(u->terms, 64, seq_base(instance));
  for (uint32_t at = 0; at < size && !guard_is_false(u, s->guard);) {
    uint32_t n = size - at >= 8 ? 8 : size - at >= 4 ? 4 : 1;
    Term where = term_add(u->terms, from, term_const(u->terms, 64, at));
    Term value = seq_access_load(u, s, edge, 0, where, n);
    seq_access_store(u, s, edge, 0, term_add(u->terms, to, term_const(u->terms, 64, at)),
                     value, n);
    at += n;
  }
  return to;
}

static void call_defined(Unwinder *u, State *s, EdgeId edge, FuncId function) {
  const Edge *e = program_edge(u->program, edge);
  const Function *f = vec_at(&u->program->functions, function);
  Terms *t = u->terms;
  Term *args = mem_alloc_zero((f->param_count + 1) * sizeof *args);
  for (uint32_t i = 0; i < f->param_count; i++) {
    const Local *param = vec_at(&u->program->locals, f->first_local + i);
    if (i >= e->arg_count) {
      args[i] = seq_fresh(u, param->bits, "argument");
      continue;
    }
    const Arg *arg = vec_at(&u->program->args, e->first_arg + i);
    args[i] = seq_value(u, s, arg->value);
    if (arg->passing.byval_size)
      args[i] = copy_of(u, s, edge, args[i], arg->passing.byval_size);
    args[i] = term_fit(t, args[i], param->bits);
  }
  Term result = 0;
  SeqVarargs varargs = {0};
  bool variadic = (f->flags & FUNCTION_VARARGS) && !u->request->whole &&
                  seq_varargs_capture(u, s, e, f, &varargs);
  if (!guard_is_false(u, s->guard))
    seq_unwind_variadic(u, function, args, f->param_count, variadic ? &varargs : NULL, s,
                        &result);
  vec_free(&varargs.args);
  mem_free(args);
  if (e->dst && !guard_is_false(u, s->guard)) {
    uint32_t bits = vec_at(&u->program->locals, e->dst)->bits;
    seq_step_set(u, s, e->dst, result ? result : seq_fresh(u, bits, "result"));
  }
}

static void call_function(Unwinder *u, State *s, EdgeId edge, FuncId function) {
  const Function *f = vec_at(&u->program->functions, function);
  if (f->flags & FUNCTION_DEFINED)
    call_defined(u, s, edge, function);
  else
    seq_library(u, s, edge, function);
}

/* A call through a pointer: each function that it may be, if it is. */
static void call_any(Unwinder *u, State *s, EdgeId edge, Term callee) {
  const FuncId *functions;
  uint32_t n = pointsto_callees(u->request->pointsto, edge, &functions);
  State all = {0};
  Term none = term_not(u->terms, term_eq(u->terms, callee, term_const(u->terms, 64, 0)));
  for (uint32_t i = 0; i < n; i++) {
    Term is = term_eq(u->terms, callee,
                      term_const(u->terms, 64, seq_function_address(functions[i])));
    none = term_and(u->terms, none, term_not(u->terms, is));
    if (i + 1 == n) seq_unwind_lose(u, s, none);
    State one;
    seq_state_copy(u, s, &one);
    one.guard = term_and(u->terms, s->guard, is);
    if (!guard_is_false(u, one.guard)) call_function(u, &one, edge, functions[i]);
    seq_state_merge(u, &all, &one);
  }
  if (!n) seq_unwind_lose(u, s, none);
  seq_state_drop(s);
  *s = all;
}

static void step_call(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  const Expr *callee = program_expr(u->program, e->a);
  if (callee->kind == EXPR_FUNC) {
    call_function(u, s, edge, (FuncId)callee->data);
    return;
  }
  Term address = seq_value(u, s, e->a);
  uint64_t value;
  if (!term_get_const(u->terms, address, &value)) {
    call_any(u, s, edge, address);
    return;
  }
  FuncId function = seq_function_at(value);
  if (function && function < u->program->functions.len)
    call_function(u, s, edge, function);
  else
    s->guard = 0;
}

Term seq_step_input(Unwinder *u, const State *s, EdgeId edge, uint32_t bits) {
  SeqThread *t = seq_unwind_thread(u);
  Term value = term_var(u->terms, bits, "input");
  vec_push(&t->inputs, (SeqInput){edge, s->guard, value, t->events.len});
  return value;
}

static void step_havoc(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  uint32_t bits = vec_at(&u->program->locals, e->dst)->bits;
  seq_step_set(u, s, e->dst, seq_step_input(u, s, edge, bits));
}

static void step_alloca(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  uint64_t size = 0;
  if (!term_get_const(u->terms, seq_value(u, s, e->a), &size)) size = 0;
  uint32_t i = seq_unwind_new_instance(u, e->aux, size, true);
  if (e->dst) seq_step_set(u, s, e->dst, term_const(u->terms, 64, seq_base(i)));
}

static void step_assert(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Term condition = seq_value(u, s, e->a);
  if (term_is_true(u->terms, condition)) return;
  seq_unwind_leave_alone(u, s);
  seq_unwind_event(u, s, SEQ_ASSERT, edge)->value = condition;
  s->guard = term_and(u->terms, s->guard, condition);
}

void seq_step_edge(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  switch ((OpKind)e->op) {
  case OPS_MOVE: break; /* conditions are part of the guard already */
  case OP_ASSIGN: seq_step_set(u, s, e->dst, seq_value(u, s, e->a)); break;
  case OP_HAVOC: step_havoc(u, s, edge); break;
  case OP_CALL: step_call(u, s, edge); break;
  case OP_RETURN:
    if (e->a) s->locals[u->frame->f->local_count] = seq_value(u, s, e->a);
    break;
  case OP_UNREACHABLE: s->guard = 0; break;
  case OP_LOAD: {
    Term value = seq_access_load(u, s, edge, e->a, seq_value(u, s, e->a), e->size);
    if (e->dst) seq_step_set(u, s, e->dst, value);
    break;
  }
  case OP_STORE:
    seq_access_store(u, s, edge, e->a, seq_value(u, s, e->a), seq_value(u, s, e->b),
                     e->size);
    break;
  case OP_RMW:
  case OP_CMPXCHG: seq_access_update(u, s, edge); break;
  case OP_FENCE: break;
  case OP_COPY: seq_access_copy(u, s, edge); break;
  case OP_FILL: seq_access_fill(u, s, edge); break;
  case OP_ALLOCA: step_alloca(u, s, edge); break;
  case OP_STACK_SAVE:
    if (e->dst) seq_step_set(u, s, e->dst, term_const(u->terms, 64, 0));
    break;
  case OP_STACK_RESTORE: break;
  case OPS_VA: seq_varargs(u, s, edge); break;
  case OP_ASSERT: step_assert(u, s, edge); break;
  case OP_EXIT:
    if (!s->alone) seq_unwind_event(u, s, SEQ_EXIT, edge); /* or there is nobody to end */
    s->guard = 0;
    break;
  case OPS_THREAD:
  case OPS_SYNC: seq_sync(u, s, edge); break;
  }
}
