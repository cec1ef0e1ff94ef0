/* Functions that the machine performs by their rule: those of which the library table says all
 * that matters for a run. Such a function calls what it is given, once, and may look at memory and
 * use state of its own; it writes nothing of the program's, keeps nothing, and either its result
 * is one of its arguments or nobody asks for it. What a rule leaves open (`_` as an argument of
 * a callback, a result that may be anything) is nothing to run: a schedule would rest on a guess. */
#include "model/exec/machine.h"

static const Effect *effect_at(const Exec *exec, const Function *f, uint32_t i) {
  return vec_at(&exec->program->effects, f->first_effect + i);
}

/* Everything that the callback gets is one of the arguments. */
static bool passes_known(const Effect *x) {
  for (uint32_t i = 0; i < EFFECT_PASS_MAX; i++)
    if (x->pass[i] == ARG_KEPT || x->pass[i] == ARG_WITH || x->pass[i] == ARG_VARARGS ||
        x->pass[i] == ARG_RETURN)
      return false;
  return true;
}

static bool can_be_done(const Effect *x) {
  switch ((EffectKind)x->kind) {
  case EFFECT_NONE:
  case EFFECT_HIDDEN_READ:
  case EFFECT_HIDDEN_WRITE: return !(x->flags & EFFECT_VARIABLE);
  case EFFECT_READ: return !(x->flags & EFFECT_LATER);
  case EFFECT_CALL:
    return !(x->flags & EFFECT_CONTENT) && x->arg < ARG_KEPT && passes_known(x);
  case EFFECT_RETURN_ARG:
    return !(x->flags & (EFFECT_INSIDE | EFFECT_CONTENT | EFFECT_MAY_NULL));
  case EFFECT_WRITE:
  case EFFECT_FREE:
  case EFFECT_ALLOC:
  case EFFECT_STORE:
  case EFFECT_KEEP:
  case EFFECT_CALL_LATER:
  case EFFECT_RETURN_HIDDEN:
  case EFFECT_RETURN_KEPT:
  case EFFECT_KIND_COUNT: return false;
  }
  return false;
}

/* The i-th callback that the rule names; NULL: there are no more. */
static const Effect *callback_at(const Exec *exec, const Function *f, uint32_t i) {
  for (uint32_t k = 0; k < f->effect_count; k++) {
    const Effect *x = effect_at(exec, f, k);
    if (x->kind == EFFECT_CALL && i-- == 0) return x;
  }
  return NULL;
}

/* What the callback gets; false: the rule does not say what. */
static bool pass_arguments(NativeCall *call, const Effect *x) {
  FuncId id = exec_function_at(call->exec, call->callback);
  const Function *f = id ? vec_at(&call->exec->program->functions, id) : NULL;
  call->callback_argc = f ? f->param_count : 0;
  for (uint32_t i = 0; i < call->callback_argc; i++) {
    if (i >= NATIVE_CALLBACK_ARGS || x->pass[i] >= call->argc) return false;
    call->callback_args[i] = call->args[x->pass[i]];
  }
  return true;
}

static NativeStatus perform(NativeCall *call) {
  Exec *exec = call->exec;
  FuncId id = ((const NativeFrame *)(const void *)call)->function;
  const Function *f = vec_at(&exec->program->functions, id);
  const Effect *next = callback_at(exec, f, call->stage);
  if (next) {
    call->callback = next->arg < call->argc ? call->args[next->arg] : 0;
    if (call->callback && pass_arguments(call, next)) return NATIVE_CALL;
    exec_stop(exec, "%s calls back with what its rule does not say",
              sym_text(exec->program, f->name));
    return NATIVE_STOP;
  }
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = effect_at(exec, f, i);
    if (x->kind != EFFECT_RETURN_ARG || x->arg >= call->argc) continue;
    call->result = call->args[x->arg];
    return NATIVE_DONE;
  }
  if (!call->result_bits) return NATIVE_DONE;
  exec_stop(exec, "%s returns what its rule does not say",
            sym_text(exec->program, f->name));
  return NATIVE_STOP;
}

const Native *native_described(const Exec *exec, FuncId function) {
  static const Native native = {"a function with a rule", perform, 0};
  const Function *f = vec_at(&exec->program->functions, function);
  if (!(f->flags & FUNCTION_RULE) ||
      (f->flags & (FUNCTION_NORETURN | FUNCTION_RETURNS_TWICE)))
    return NULL;
  for (uint32_t i = 0; i < f->effect_count; i++)
    if (!can_be_done(effect_at(exec, f, i))) return NULL;
  return callback_at(exec, f, 0) ? &native : NULL;
}
