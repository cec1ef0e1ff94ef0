/* See effect.h: questions about the effects of a call. */
#include "model/program.h"

/* An address of something is not NULL, whatever is added to it. */
static bool is_never_null(const Program *p, ExprId id) {
  enum { DEEPEST = 16 };
  for (int depth = 0; depth < DEEPEST && id; depth++) {
    const Expr *e = program_expr(p, id);
    switch ((ExprKind)e->kind) {
    case EXPR_OBJECT:
    case EXPR_FUNC: return true;
    case EXPR_CONST: return e->value != 0;
    case EXPR_BITCAST:
    case EXPR_PTRADD: id = e->a; break;
    default: return false;
    }
  }
  return false;
}

bool effect_is_possible(const Program *p, const Edge *call, const Effect *x) {
  bool hidden = x->kind == EFFECT_HIDDEN_READ || x->kind == EFFECT_HIDDEN_WRITE;
  if (!hidden || !(x->flags & EFFECT_IF_NULL) || x->arg >= call->arg_count) return true;
  return !is_never_null(p, vec_at(&p->args, call->first_arg + x->arg)->value);
}

bool effect_makes_thread(const Program *p, FuncId function) {
  const Function *f = vec_at(&p->functions, function);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    bool later = x->kind == EFFECT_CALL_LATER ||
                 ((x->kind == EFFECT_READ || x->kind == EFFECT_WRITE) &&
                  (x->flags & EFFECT_LATER));
    if (later && (x->flags & EFFECT_THREAD)) return true;
  }
  return false;
}
