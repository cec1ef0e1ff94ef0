/* See absvalue.h. Numbers are computed as the interpreter does. */
#include "engine/absvalue.h"

#include "model/exec/value.h"

#include <assert.h>

AbsValue abs_compute(const Program *p, const Expr *e, AbsValue a, AbsValue b,
                     AbsValue c) {
  assert(e->bits <= 64);
  const Expr *ea = program_expr(p, e->a);
  int n = expr_operand_count((ExprKind)e->kind);
  ValueOp op = {.kind = e->kind,
                .sort = e->sort,
                .a_sort = ea->sort,
                .bits = e->bits,
                .a_bits = ea->bits};
  if (e->kind == EXPR_EXTRACT) op.low = e->b;
  if (e->kind == EXPR_INSERT) {
    op.low = e->c;
    op.b_bits = program_expr(p, e->b)->bits;
  }
  uint64_t result = 0;
  ValueStatus status =
      value_apply(&op, &result, &a.num, n > 1 ? &b.num : NULL, n > 2 ? &c.num : NULL);
  return status == VALUE_OK ? abs_number(result & value_mask(e->bits)) : abs_top();
}
