/* The texts and operand counts of expression kinds, read off the table in expr.h. */
#include "model/expr.h"

#include <assert.h>

static const struct {
  const char *text;
  int operands;
} kinds[EXPR_KIND_COUNT] = {
#define EXPR(name, operands, text) {text, operands},
    EXPR_KINDS(EXPR)
#undef EXPR
};

const char *expr_kind_text(ExprKind kind) {
  assert(kind < EXPR_KIND_COUNT);
  return kinds[kind].text;
}

int expr_operand_count(ExprKind kind) {
  assert(kind < EXPR_KIND_COUNT);
  return kinds[kind].operands;
}
