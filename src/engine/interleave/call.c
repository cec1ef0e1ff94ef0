/* Calls and returns of functions that have a body. A register that was not written yet is
 * TOP. The section of a function that runs as one atomic step begins and ends with it. */
#include "engine/interleave/machine.h"

enum { MAX_FRAMES = 256, MAX_ARGS = 64 };

Outcome il_call_enter(Machine *m, uint32_t thread, FuncId function, const AbsValue *args,
                      uint32_t arg_count, FrameKind kind, EdgeId call) {
  const Function *f = vec_at(&m->p->functions, function);
  AbsThread *t = &m->s.threads[thread];
  if (!(f->flags & FUNCTION_DEFINED))
    return il_give_up(m, "%s has no body", sym_text(m->p, f->name));
  if (t->frames.len >= MAX_FRAMES) return il_give_up(m, "calls are nested too deeply");
  /* a structure by value is a pointer whose target the callee copies first of all */
  for (uint32_t i = 0; i < f->param_count && kind != FRAME_CALL; i++)
    if (vec_at(&m->p->passings, f->first_passing + i)->byval_size)
      return il_give_up(m, "%s takes a structure by value", sym_text(m->p, f->name));
  ThreadFrame frame = {.function = function,
                       .node = f->entry,
                       .call = call,
                       .regs = t->regs.len,
                       .kind = kind};
  for (uint32_t i = 0; i < f->local_count; i++) {
    AbsValue v = i < f->param_count && i < arg_count ? args[i] : abs_top();
    const Local *l = vec_at(&m->p->locals, f->first_local + i);
    vec_push(&t->regs, l->bits > 64 ? abs_top() : v);
  }
  vec_push(&t->frames, frame);
  return OUTCOME_NEXT;
}

static Outcome call_defined(Machine *m, const Edge *e, FuncId callee) {
  const Function *f = vec_at(&m->p->functions, callee);
  AbsValue args[MAX_ARGS];
  if (e->arg_count > MAX_ARGS) return il_give_up(m, "a call has too many arguments");
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&m->p->args, e->first_arg + i);
    args[i] = il_eval(m, arg->value);
    Outcome out = il_split(m, arg->value, &args[i]);
    if (out != OUTCOME_NEXT) return out;
    bool fits = i < f->param_count && program_expr(m->p, arg->value)->bits ==
                                          vec_at(&m->p->locals, f->first_local + i)->bits;
    const Passing *wanted =
        i < f->param_count ? vec_at(&m->p->passings, f->first_passing + i) : NULL;
    uint32_t by_value = wanted ? wanted->byval_size : 0;
    if (by_value != arg->passing.byval_size)
      return il_give_up(m, "%s gets another structure than it takes",
                        sym_text(m->p, f->name));
    if (fits) continue;
    m->s.lost = m->s.lost || abs_is_address(args[i]);
    args[i] = abs_top();
  }
  if (f->flags & FUNCTION_ATOMIC) {
    Outcome out = il_section_step(m, true);
    if (out != OUTCOME_NEXT) return out;
  }
  return il_call_enter(m, m->t, callee, args, e->arg_count, FRAME_CALL, m->edge);
}

static Outcome call_function(Machine *m, const Edge *e, FuncId callee) {
  const Function *f = vec_at(&m->p->functions, callee);
  if (f->flags & FUNCTION_DEFINED) return call_defined(m, e, callee);
  return il_library_call(m, e, callee);
}

Outcome il_call_step(Machine *m, const Edge *e) {
  AbsValue callee = il_eval(m, e->a);
  if (abs_tag(callee) == ABS_FUNCTION) return call_function(m, e, abs_id(callee));
  if (abs_is_number(callee) && callee.num < NULL_PAGE)
    return OUTCOME_PRUNED; /* a call of NULL */
  if (abs_is_number(callee)) return il_give_up(m, "a number is called as a function");
  if (!abs_is_top(callee)) return il_give_up(m, "memory is called as a function");
  const FuncId *functions;
  uint32_t n = pointsto_callees(m->facts->pointsto, m->edge, &functions);
  if (!n || pointsto_calls_unknown(m->facts->pointsto, m->edge))
    return il_give_up(m, "a call goes to an unknown function");
  int choice = machine_choose(m, n);
  if (choice < 0) return OUTCOME_PAUSE;
  return call_function(m, e, functions[choice]);
}

Outcome il_call_end_objects(Machine *m, uint32_t frame) {
  for (uint32_t i = m->facts->static_count; i < m->s.instances.len; i++) {
    const Instance *x = &m->s.instances.data[i];
    if (x->dead || x->owner != m->t + 1 || x->frame != frame ||
        vec_at(&m->p->objects, x->object)->kind != OBJECT_STACK)
      continue;
    Outcome out = il_memory_end(m, i);
    if (out != OUTCOME_NEXT) return out;
  }
  return OUTCOME_NEXT;
}

Outcome il_call_return(Machine *m, AbsValue value) {
  AbsThread *t = &m->s.threads[m->t];
  ThreadFrame f = *vec_last(&t->frames);
  if (f.kind == FRAME_BOTTOM) return m->t == 0 ? OUTCOME_EXIT : il_thread_end(m, value);
  Outcome out = il_call_end_objects(m, t->frames.len - 1);
  if (out == OUTCOME_NEXT &&
      (vec_at(&m->p->functions, f.function)->flags & FUNCTION_ATOMIC))
    out = il_section_step(m, false);
  if (out != OUTCOME_NEXT) return out;
  t->frames.len--;
  t->regs.len = f.regs;
  if (f.kind == FRAME_STARTUP) return OUTCOME_NEXT;
  if (f.kind == FRAME_ONCE) return il_once_done(m, &f);
  const Edge *call = program_edge(m->p, f.call);
  if (!call->to) return OUTCOME_HALT;
  const Function *callee = vec_at(&m->p->functions, f.function);
  if (call->dst) {
    bool fits = callee->return_bits == vec_at(&m->p->locals, call->dst)->bits;
    if (!fits && abs_is_address(value)) m->s.lost = true;
    il_local_set(m, call->dst, fits ? value : abs_top());
  }
  il_frame_top(m)->node = call->to;
  return OUTCOME_NEXT;
}
