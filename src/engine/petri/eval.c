/* Expressions in a local state. Numbers of up to 64 bits are computed by the
 * interpreter's own code (model/exec/value.h); addresses keep their object through offset
 * arithmetic; everything else that is done with them is TOP. */
#include "engine/petri/local.h"
#include "model/exec/value.h"

enum { DEEPEST = 200 };

int local_truth(AbsValue v) {
  if (abs_is_number(v)) return v.num != 0;
  return abs_is_top(v) ? -1 : 1;
}

/* An address that lies inside of the only instance of an object that is nobody else's. */
static bool is_distinct(const World *w, AbsValue v) {
  if (abs_tag(v) == ABS_FUNCTION || abs_tag(v) == ABS_LABEL) return true;
  if (abs_tag(v) != ABS_INSTANCE) return false;
  const Object *o = vec_at(&w->program->objects, abs_id(v));
  return o->kind == OBJECT_GLOBAL && !(o->flags & (OBJECT_LITERAL | OBJECT_EXTERNAL)) &&
         v.num < o->size;
}

int local_equal(const World *w, AbsValue a, AbsValue b) {
  if (abs_is_top(a) || abs_is_top(b)) return -1;
  if (abs_is_number(a) && abs_is_number(b)) return a.num == b.num;
  if (abs_is_number(a) || abs_is_number(b)) {
    AbsValue address = abs_is_number(a) ? b : a;
    uint64_t number = abs_is_number(a) ? a.num : b.num;
    if (abs_tag(address) == ABS_THREAD) return -1;
    bool far = abs_tag(address) != ABS_INSTANCE || (int64_t)address.num >= 0;
    return number == 0 && far ? 0 : -1;
  }
  if (a.base != b.base) return is_distinct(w, a) && is_distinct(w, b) ? 0 : -1;
  if (abs_tag(a) == ABS_FUNCTION || abs_tag(a) == ABS_LABEL) return 1;
  return abs_tag(a) == ABS_INSTANCE && w->single[abs_id(a)] ? a.num == b.num : -1;
}

static AbsValue shift(AbsValue base, AbsValue offset, bool minus) {
  if (abs_tag(base) == ABS_WITHIN) return base;
  if (abs_tag(base) != ABS_INSTANCE || abs_is_address(offset)) return abs_top();
  if (!abs_is_number(offset)) return abs_make(ABS_WITHIN, abs_id(base), 0);
  base.num = minus ? base.num - offset.num : base.num + offset.num;
  return base;
}

static AbsValue compare(const World *w, const Expr *e, AbsValue a, AbsValue b) {
  if (e->kind != EXPR_EQ && e->kind != EXPR_NE) return abs_top();
  int equal = local_equal(w, a, b);
  return equal < 0 ? abs_top() : abs_number((uint64_t)equal == (e->kind == EXPR_EQ));
}

static AbsValue with_address(const World *w, const Expr *e, AbsValue a, AbsValue b) {
  bool wide = e->bits == 64;
  switch ((ExprKind)e->kind) {
  case EXPR_PTRADD: return shift(a, b, false);
  case EXPR_ADD: /* of integers: what is not known may lead to another object */
    if (!wide || !(abs_is_number(a) || abs_is_number(b))) break;
    return abs_is_address(a) ? shift(a, b, false) : shift(b, a, false);
  case EXPR_SUB:
    if (!wide || !abs_is_number(b)) break;
    return shift(a, b, true);
  case EXPR_BITCAST: return wide ? a : abs_top();
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
    return wide && program_expr(w->program, e->a)->bits == 64 ? a : abs_top();
  default: break;
  }
  return abs_top();
}

static AbsValue eval_leaf(const World *w, LocalState *s, const Expr *e) {
  switch ((ExprKind)e->kind) {
  case EXPR_CONST:
    return e->bits > 64 ? abs_top() : abs_number(e->value & value_mask(e->bits));
  case EXPR_LOCAL: return *local_register(w, s, (LocalId)e->data);
  case EXPR_OBJECT: return abs_make(ABS_INSTANCE, (uint32_t)e->data, 0);
  case EXPR_FUNC: return abs_make(ABS_FUNCTION, (uint32_t)e->data, 0);
  case EXPR_LABEL: return abs_make(ABS_LABEL, (uint32_t)e->data, 0);
  default: return abs_top();
  }
}

static AbsValue eval_at(const World *w, LocalState *s, ExprId id, int depth) {
  const Expr *e = program_expr(w->program, id);
  int n = expr_operand_count((ExprKind)e->kind);
  if (!n) return eval_leaf(w, s, e);
  if (depth > DEEPEST || e->weight > 20000) return abs_top();
  AbsValue a = eval_at(w, s, e->a, depth + 1);
  if (e->kind == EXPR_ITE) {
    int truth = local_truth(a);
    if (truth >= 0) return eval_at(w, s, truth ? e->b : e->c, depth + 1);
    AbsValue b = eval_at(w, s, e->b, depth + 1), c = eval_at(w, s, e->c, depth + 1);
    return abs_equal(b, c) ? b : abs_top();
  }
  AbsValue b = n > 1 ? eval_at(w, s, e->b, depth + 1) : abs_number(0);
  AbsValue c = n > 2 ? eval_at(w, s, e->c, depth + 1) : abs_number(0);
  if (e->bits > 64 || program_expr(w->program, e->a)->bits > 64 ||
      (n > 1 && program_expr(w->program, e->b)->bits > 64))
    return abs_top();
  if (abs_is_number(a) && abs_is_number(b) && abs_is_number(c))
    return abs_compute(w->program, e, a, b, c);
  if (e->kind >= EXPR_EQ && e->kind <= EXPR_SLE) return compare(w, e, a, b);
  bool zero = (abs_is_number(a) && !a.num) || (n > 1 && abs_is_number(b) && !b.num);
  if ((e->kind == EXPR_AND || e->kind == EXPR_MUL) && zero) return abs_number(0);
  bool one = (abs_is_number(a) && a.num) || (abs_is_number(b) && b.num);
  if (e->kind == EXPR_OR && e->bits == 1 && one) return abs_number(1);
  if (abs_tag(a) || abs_tag(b)) return with_address(w, e, a, b);
  return abs_top();
}

AbsValue local_eval(const World *w, LocalState *s, ExprId expr) {
  return expr ? eval_at(w, s, expr, 0) : abs_number(0);
}

void local_learn(const World *w, LocalState *s, ExprId condition) {
  const Program *p = w->program;
  const Expr *e = program_expr(p, condition);
  bool holds = true;
  for (int depth = 0; depth < 8; depth++) {
    if (e->kind == EXPR_LOCAL && e->bits == 1) {
      local_set(w, s, (LocalId)e->data, abs_number(holds));
      return;
    }
    if (e->kind != EXPR_EQ && e->kind != EXPR_NE) return;
    const Expr *a = program_expr(p, e->a), *b = program_expr(p, e->b);
    bool equal = holds == (e->kind == EXPR_EQ);
    if (b->kind != EXPR_CONST || b->bits > 64) return;
    if (a->kind == EXPR_LOCAL && a->bits > 1) {
      if (equal && a->sort == SORT_INT)
        local_set(w, s, (LocalId)a->data, abs_number(b->value));
      return;
    }
    while (a->kind == EXPR_ZEXT) a = program_expr(p, a->a);
    if (a->bits != 1 || b->value > 1) return;
    holds = equal == (b->value == 1);
    e = a;
  }
}
