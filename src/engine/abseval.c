/* See abseval.h. */
#include "engine/abseval.h"

#include "model/exec/value.h"

enum { DEEPEST = 400, HEAVIEST = 20000 };

typedef struct {
  const Program *p;
  const AbsStore *calls;
  void *store;
  AbsMemo *memo;
} Eval;

int abs_truth(AbsValue v) {
  if (abs_is_number(v)) return v.num != 0;
  return abs_is_top(v) ? -1 : 1;
}

/* ---- operators ---- */

/* A TOP made from these operands: an address among them is hidden from now on. */
static AbsValue lose(const Eval *x, AbsValue a, AbsValue b) {
  if ((abs_is_address(a) || abs_is_address(b)) && x->calls->lose)
    x->calls->lose(x->store);
  return abs_top();
}

static AbsValue shift_address(const Eval *x, AbsValue base, AbsValue offset, bool minus) {
  if (abs_tag(base) == ABS_WITHIN) return base;
  if (!abs_is_number(offset))
    return abs_tag(base) == ABS_INSTANCE && !abs_is_address(offset)
               ? abs_make(ABS_WITHIN, abs_id(base), 0)
               : lose(x, base, offset);
  if (abs_tag(base) != ABS_INSTANCE) return abs_top();
  base.num = minus ? base.num - offset.num : base.num + offset.num;
  return base;
}

static bool are_together(const Eval *x, AbsValue a, AbsValue b) {
  return a.base == b.base && abs_tag(a) == ABS_INSTANCE &&
         (!x->calls->is_single || x->calls->is_single(x->store, abs_id(a)));
}

static bool is_comparison(const Expr *e) {
  return e->kind >= EXPR_EQ && e->kind <= EXPR_SLE;
}

static AbsValue compare(const Eval *x, const Expr *e, AbsValue a, AbsValue b) {
  if (e->kind == EXPR_EQ || e->kind == EXPR_NE) {
    int equal = x->calls->equal(x->store, a, b);
    return equal < 0 ? abs_top() : abs_number((uint64_t)equal == (e->kind == EXPR_EQ));
  }
  if (!are_together(x, a, b)) return abs_top();
  bool strict = e->kind == EXPR_ULT || e->kind == EXPR_SLT;
  return abs_number(strict ? (int64_t)a.num < (int64_t)b.num
                           : (int64_t)a.num <= (int64_t)b.num);
}

static AbsValue subtract(const Eval *x, AbsValue a, AbsValue b) {
  if (are_together(x, a, b)) return abs_number(a.num - b.num);
  if (!abs_is_address(a) || !abs_is_address(b))
    return abs_is_number(b) ? shift_address(x, a, b, true) : lose(x, a, b);
  if (abs_id(a) != abs_id(b) && x->calls->stray) x->calls->stray(x->store);
  return abs_top();
}

static AbsValue with_address(const Eval *x, const Expr *e, AbsValue a, AbsValue b) {
  bool wide = e->bits == 64;
  switch ((ExprKind)e->kind) {
  case EXPR_PTRADD: return shift_address(x, a, b, false);
  case EXPR_ADD: /* of integers: what is not known may lead to another object */
    if (!wide || (!abs_is_number(a) && !abs_is_number(b))) break;
    return abs_is_number(a) ? shift_address(x, b, a, false)
                            : shift_address(x, a, b, false);
  case EXPR_SUB:
    if (!wide) break;
    return subtract(x, a, b);
  case EXPR_BITCAST: return wide ? a : lose(x, a, b);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
    return wide && program_expr(x->p, e->a)->bits == 64 ? a : lose(x, a, abs_top());
  default: break;
  }
  return lose(x, a, b);
}

/* Where one operand alone decides. */
static bool shortcut(const Expr *e, AbsValue a, AbsValue b, AbsValue *ret_value) {
  bool zero = (abs_is_number(a) && a.num == 0) || (abs_is_number(b) && b.num == 0);
  bool one = (abs_is_number(a) && a.num) || (abs_is_number(b) && b.num);
  *ret_value = abs_number(!zero);
  return e->kind == EXPR_AND || e->kind == EXPR_MUL
             ? zero
             : e->kind == EXPR_OR && e->bits == 1 && one;
}

/* ---- the walk ---- */

static AbsValue eval_at(const Eval *x, ExprId id, int depth);

static AbsValue eval_leaf(const Eval *x, const Expr *e) {
  switch ((ExprKind)e->kind) {
  case EXPR_CONST:
    return e->bits > 64 ? abs_top() : abs_number(e->value & value_mask(e->bits));
  case EXPR_LOCAL: return x->calls->local(x->store, (LocalId)e->data);
  case EXPR_OBJECT: return x->calls->object(x->store, (ObjectId)e->data);
  case EXPR_FUNC: return abs_make(ABS_FUNCTION, (uint32_t)e->data, 0);
  case EXPR_LABEL: return abs_make(ABS_LABEL, (uint32_t)e->data, 0);
  default: return abs_top();
  }
}

static AbsValue eval_ite(const Eval *x, const Expr *e, int depth) {
  int truth = abs_truth(eval_at(x, e->a, depth + 1));
  if (truth >= 0) return eval_at(x, truth ? e->b : e->c, depth + 1);
  AbsValue b = eval_at(x, e->b, depth + 1), c = eval_at(x, e->c, depth + 1);
  return abs_equal(b, c) ? b : lose(x, b, c);
}

static AbsValue eval_inner(const Eval *x, const Expr *e, int depth) {
  if (e->kind == EXPR_ITE) return eval_ite(x, e, depth);
  int n = expr_operand_count((ExprKind)e->kind);
  AbsValue a = eval_at(x, e->a, depth + 1);
  AbsValue b = n > 1 ? eval_at(x, e->b, depth + 1) : abs_number(0);
  AbsValue c = n > 2 ? eval_at(x, e->c, depth + 1) : abs_number(0), value;
  if (e->bits > 64 || program_expr(x->p, e->a)->bits > 64 ||
      (n > 1 && program_expr(x->p, e->b)->bits > 64))
    return lose(x, a, b);
  if (abs_is_number(a) && abs_is_number(b) && abs_is_number(c))
    return abs_compute(x->p, e, a, b, c);
  if (is_comparison(e)) return compare(x, e, a, b);
  if (n == 2 && shortcut(e, a, b, &value)) return value;
  return abs_tag(a) || abs_tag(b) ? with_address(x, e, a, b) : abs_top();
}

static AbsValue eval_at(const Eval *x, ExprId id, int depth) {
  const Expr *e = program_expr(x->p, id);
  AbsMemo *memo = x->memo;
  if (!expr_operand_count((ExprKind)e->kind)) return eval_leaf(x, e);
  if (memo && memo->stamps[id] == memo->stamp) return memo->values[id];
  if (depth > DEEPEST || (!memo && e->weight > HEAVIEST)) {
    if (x->calls->lose) x->calls->lose(x->store);
    return abs_top();
  }
  AbsValue v = eval_inner(x, e, depth);
  if (memo) memo->values[id] = v;
  if (memo) memo->stamps[id] = memo->stamp;
  return v;
}

AbsValue abs_eval(const Program *p, ExprId expr, const AbsStore *calls, void *store,
                  AbsMemo *memo) {
  Eval x = {p, calls, store, memo};
  return expr ? eval_at(&x, expr, 0) : abs_number(0);
}

bool abs_learn(const Program *p, ExprId condition, LocalId *ret_local,
               AbsValue *ret_value) {
  const Expr *e = program_expr(p, condition);
  bool holds = true;
  for (int depth = 0; depth < 8; depth++) {
    *ret_local = e->kind == EXPR_LOCAL ? (LocalId)e->data : 0;
    *ret_value = abs_number(holds);
    if (*ret_local && e->bits == 1) return true;
    if (e->kind != EXPR_EQ && e->kind != EXPR_NE) return false;
    const Expr *a = program_expr(p, e->a), *b = program_expr(p, e->b);
    bool equal = holds == (e->kind == EXPR_EQ);
    if (b->kind != EXPR_CONST || b->bits > 64) return false;
    if (a->kind == EXPR_LOCAL && a->bits > 1) {
      *ret_local = (LocalId)a->data;
      *ret_value = abs_number(b->value);
      return equal;
    }
    /* (wide)bit == 0 and the like say as much about the bit itself */
    while (a->kind == EXPR_ZEXT) a = program_expr(p, a->a);
    if (a->bits != 1 || b->value > 1) return false;
    holds = equal == (b->value == 1);
    e = a;
  }
  return false;
}
