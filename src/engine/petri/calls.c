/* Calls and returns. Functions with a body are followed, one frame on top of another,
 * unless nobody can notice what they do and they loop or recurse: those are stepped over.
 * What the library does to memory is in memory.c. */
#include "engine/petri/translate.h"

enum { MOST_FRAMES = 48, MOST_ARGS = 64 };

StepResult calls_enter(Translation *t, LocalState *s, FuncId function,
                       const AbsValue *args, uint32_t count, CallKind kind, EdgeId call) {
  const Function *f = vec_at(&t->p->functions, function);
  if (!(f->flags & FUNCTION_DEFINED))
    return translate_fail(t, "%s has no body", sym_text(t->p, f->name));
  if (s->frames.len >= MOST_FRAMES)
    return translate_fail(t, "calls are nested too deeply");
  for (uint32_t i = 0; i < s->frames.len; i++)
    if (s->frames.data[i].function == function)
      return translate_fail(t, "%s is recursive", sym_text(t->p, f->name));
  LocalFrame frame = {.function = function,
                      .node = f->entry,
                      .call = call,
                      .kind = (uint32_t)kind,
                      .regs = s->regs.len};
  for (uint32_t i = 0; i < f->local_count; i++) {
    bool wide = vec_at(&t->p->locals, f->first_local + i)->bits > 64;
    bool given = i < f->param_count && i < count && !wide;
    vec_push(&s->regs, given ? args[i] : abs_top());
  }
  vec_push(&s->frames, frame);
  return STEP_ON;
}

StepResult calls_callee(Translation *t, LocalState *s, ExprId callee,
                        FuncId *ret_function) {
  AbsValue v = local_eval(t->w, s, callee);
  t->ways = 1;
  if (abs_tag(v) == ABS_FUNCTION) {
    *ret_function = abs_id(v);
    return STEP_ON;
  }
  if (abs_is_number(v) && v.num < NULL_PAGE) return STEP_PRUNED; /* a call of NULL */
  if (abs_is_number(v)) return translate_fail(t, "a number is called as a function");
  const FuncId *functions;
  uint32_t n = pointsto_callees(t->w->pointsto, t->edge, &functions);
  if (!n || pointsto_calls_unknown(t->w->pointsto, t->edge))
    return translate_fail(t, "a call goes to an unknown function");
  t->ways = n;
  *ret_function = functions[t->choice];
  return STEP_ON;
}

static StepResult call_defined(Translation *t, LocalState *s, const Edge *e,
                               FuncId callee) {
  const Function *f = vec_at(&t->p->functions, callee);
  AbsValue args[MOST_ARGS];
  if (e->arg_count > MOST_ARGS) return translate_fail(t, "a call has too many arguments");
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&t->p->args, e->first_arg + i);
    args[i] = local_eval(t->w, s, arg->value);
    bool fits = i < f->param_count && program_expr(t->p, arg->value)->bits ==
                                          vec_at(&t->p->locals, f->first_local + i)->bits;
    if (!fits || arg->passing.byval_size) args[i] = abs_top();
  }
  return calls_enter(t, s, callee, args, e->arg_count, CALL_PLAIN, t->edge);
}

static StepResult step_over(Translation *t, LocalState *s, const Edge *e, FuncId callee) {
  World *w = t->w;
  for (ObjectId o = 1; o < t->p->objects.len; o++) {
    uint32_t index = w->mod_index[o];
    if (index && w->mods[callee][(index - 1) / 64] >> ((index - 1) % 64) & 1)
      local_lose(w, s, o);
  }
  local_set(w, s, e->dst, abs_top());
  if (!e->to) return STEP_PRUNED;
  local_go(s, e->to);
  return STEP_ON;
}

static StepResult calls_back(Translation *t, LocalState *s, const Edge *e,
                             const Function *f, const Effect *x) {
  ExprId callee =
      x->arg < e->arg_count ? vec_at(&t->p->args, e->first_arg + x->arg)->value : 0;
  AbsValue v = callee ? local_eval(t->w, s, callee) : abs_number(0);
  if (abs_is_number(v) && v.num == 0) return STEP_ON;
  const FuncId *functions;
  uint32_t n = pointsto_callees(t->w->pointsto, t->edge, &functions);
  bool harmless =
      x->kind == EFFECT_CALL && n && !pointsto_calls_unknown(t->w->pointsto, t->edge);
  for (uint32_t i = 0; i < n && harmless; i++) harmless = !t->w->visible[functions[i]];
  if (!harmless) return translate_fail(t, "%s calls back", sym_text(t->p, f->name));
  for (uint32_t i = 0; i < n; i++)
    for (ObjectId o = 1; o < t->p->objects.len; o++) {
      uint32_t index = t->w->mod_index[o];
      const uint64_t *mods = t->w->mods[functions[i]];
      if (index && mods && mods[(index - 1) / 64] >> ((index - 1) % 64) & 1)
        local_lose(t->w, s, o);
    }
  return STEP_ON;
}

static bool is_result(const Effect *x) {
  return x->kind == EFFECT_RETURN_ARG || x->kind == EFFECT_RETURN_HIDDEN ||
         x->kind == EFFECT_RETURN_KEPT || (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE);
}

/* Only the one object of a site that runs once has an address that means something here;
 * where the table says that there may be none, that is the second way. */
AbsValue calls_library_result(Translation *t, LocalState *s, const Edge *e,
                              const Function *f) {
  const Effect *only = NULL;
  (void)s;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&t->p->effects, f->first_effect + i);
    if (!is_result(x)) continue;
    if (only) return abs_top();
    only = x;
  }
  bool allocates =
      only && only->kind == EFFECT_ALLOC && e->aux && only->other == ARG_NONE;
  if (!allocates || only->extent == EXTENT_OBJECT || !t->w->single[e->aux])
    return abs_top();
  t->ways = only->flags & EFFECT_MAY_NULL ? 2 : 1;
  return t->choice ? abs_number(0) : abs_make(ABS_INSTANCE, e->aux, 0);
}

static StepResult call_library(Translation *t, LocalState *s, const Edge *e,
                               const Function *f) {
  if (f->flags & FUNCTION_RETURNS_TWICE)
    return translate_fail(t, "%s may return twice", sym_text(t->p, f->name));
  if ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE))
    return translate_fail(t, "nothing is known about %s", sym_text(t->p, f->name));
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&t->p->effects, f->first_effect + i);
    if (x->kind != EFFECT_CALL && x->kind != EFFECT_CALL_LATER) continue;
    StepResult out = calls_back(t, s, e, f, x);
    if (out != STEP_ON) return out;
  }
  const Expr *callee = program_expr(t->p, e->a);
  if (callee->kind != EXPR_FUNC && f->effect_count)
    return translate_fail(t, "%s is called through a pointer", sym_text(t->p, f->name));
  pn_memory_apply_owned(t, s);
  local_set(t->w, s, e->dst, calls_library_result(t, s, e, f));
  if (!e->to) return STEP_PRUNED;
  local_go(s, e->to);
  return STEP_ON;
}

StepResult calls_step(Translation *t, LocalState *s, const Edge *e) {
  FuncId callee = 0;
  StepResult out = calls_callee(t, s, e->a, &callee);
  if (out != STEP_ON) return out;
  const Function *f = vec_at(&t->p->functions, callee);
  if (!(f->flags & FUNCTION_DEFINED)) return call_library(t, s, e, f);
  const World *w = t->w;
  if (!w->visible[callee] && (w->recursive[callee] || w->heavy[callee]))
    return step_over(t, s, e, callee);
  return call_defined(t, s, e, callee);
}

StepResult calls_return(Translation *t, LocalState *s, AbsValue value) {
  LocalFrame f = *local_top(s);
  local_drop_frame(t->w, s, f.function);
  s->frames.len--;
  s->regs.len = f.regs;
  if (f.kind == CALL_STARTUP) return STEP_ON;
  const Edge *call = program_edge(t->p, f.call);
  if (!call->to) return STEP_PRUNED;
  if (f.kind == CALL_PLAIN && call->dst) {
    const Function *callee = vec_at(&t->p->functions, f.function);
    bool fits = callee->return_bits == vec_at(&t->p->locals, call->dst)->bits;
    local_set(t->w, s, call->dst, fits ? value : abs_top());
  }
  if (f.kind == CALL_ONCE && call->dst && call->aux)
    local_set(t->w, s, call->dst,
              abs_number((uint64_t)(int64_t)vec_at(&t->p->results, call->aux)->ok));
  local_go(s, call->to);
  return STEP_ON;
}
