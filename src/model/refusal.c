/* See refusal.h. */
#include "model/refusal.h"

#include "model/sync.h"

/* The operand is a constant with low ≤ it ≤ high, as 32 bits without sign. */
static bool is_between(const Program *p, ExprId operand, uint32_t low, uint32_t high) {
  const Expr *x = program_expr(p, operand);
  uint32_t value = (uint32_t)x->value;
  return x->kind == EXPR_CONST && low <= value && value <= high;
}

bool refusal_is_possible(const Program *p, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_CREATE: return true;
  case OP_BARRIER_INIT: return !is_between(p, e->b, 1, INT32_MAX);
  case OP_SEM_INIT: return !is_between(p, e->b, 0, SEM_VALUE_MOST);
  case OP_SEM_POST: return true;     /* its value may be the largest one */
  case OP_DETACH:                    /* it may be detached already */
  case OP_LOCK_DESTROY: return true; /* it may be held */
  case OPS_SEQUENTIAL:
  case OP_JOIN:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_LOCK:
  case OP_UNLOCK:
  case OPS_COND:
  case OP_BARRIER_WAIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_WAIT:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION: return false;
  }
  return true;
}

bool refusal_of_time(const Program *p, const Edge *e) {
  const SyncResult *r = e->aux ? vec_at(&p->results, e->aux) : NULL;
  return e->attempt == ATTEMPT_TIMED && r && !r->in_errno;
}
