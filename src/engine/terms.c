/* See terms.h. */
#include "engine/terms.h"

#include "base/map.h"
#include "model/exec/value.h"

#include <assert.h>

enum { WORDS = 8 };

/* An operation on constants, as the interpreter does it; otherwise any value. */
static Term float_operation(const TermsOf *x, const Expr *e, const Term *ops, int count) {
  assert(count <= 3);
  uint64_t zero[WORDS] = {0}, result[WORDS] = {0};
  const uint64_t *words[3] = {zero, zero, zero};
  uint32_t bits[3] = {0};
  for (int i = 0; i < count; i++) {
    words[i] = term_const_words(x->terms, ops[i]);
    bits[i] = term_bits(x->terms, ops[i]);
    if (!words[i] || bits[i] > 64 * WORDS) return x->any(x->user, e->bits, "float");
  }
  const Expr *a = program_expr(x->program, e->a);
  ValueOp op = {.kind = e->kind,
                .sort = e->sort,
                .a_sort = a->sort,
                .bits = e->bits,
                .a_bits = bits[0],
                .b_bits = bits[1]};
  if (e->bits > 64 * WORDS ||
      value_apply(&op, result, words[0], words[1], words[2]) != VALUE_OK)
    return x->any(x->user, e->bits, "float");
  return term_wide(x->terms, e->bits, result);
}

static Term leaf(const TermsOf *x, const Expr *e) {
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: return term_const(x->terms, e->bits, e->value);
  case EXPR_WIDE: {
    uint64_t words[64] = {0};
    uint32_t bytes = bits_to_bytes(e->bits);
    if (bytes > sizeof words) return x->any(x->user, e->bits, "wide");
    memcpy(words, &x->program->bytes.data[e->data], bytes);
    return term_wide(x->terms, e->bits, words);
  }
  case EXPR_LOCAL:
  case EXPR_OBJECT:
  case EXPR_FUNC:
  case EXPR_LABEL: return x->leaf(x->user, e);
  default: return x->any(x->user, e->bits ? e->bits : 1, "undefined");
  }
}

static Term insert(Terms *t, Term whole, Term part, uint32_t low) {
  uint32_t bits = term_bits(t, whole), n = term_bits(t, part);
  Term value = part;
  assert(low + n <= bits);
  if (low) value = term_concat(t, value, term_extract(t, whole, 0, low));
  if (low + n < bits)
    value = term_concat(t, term_extract(t, whole, low + n, bits - low - n), value);
  return value;
}

/* What C leaves open under this condition. */
static Term open_if(const TermsOf *x, Term condition, Term value) {
  if (!x->open || term_is_false(x->terms, condition)) return value;
  Term any = x->any(x->user, term_bits(x->terms, value), "undefined");
  return term_ite(x->terms, condition, any, value);
}

static Term is_zero(Terms *t, Term a) {
  return term_eq(t, a, term_const(t, term_bits(t, a), 0));
}

/* The quotient is one more than the largest number. */
static Term overflows(Terms *t, Term a, Term b) {
  uint32_t bits = term_bits(t, a);
  Term one = term_const(t, bits, 1);
  Term least = term_shl(t, one, term_const(t, bits, bits - 1));
  return term_and(t, term_eq(t, a, least), term_eq(t, b, term_neg(t, one)));
}

static Term divided(const TermsOf *x, const Expr *e, Term a, Term b) {
  Terms *t = x->terms;
  Term wrong = is_zero(t, b);
  switch ((ExprKind)e->kind) {
  case EXPR_UDIV: return open_if(x, wrong, term_udiv(t, a, b));
  case EXPR_UREM: return open_if(x, wrong, term_urem(t, a, b));
  case EXPR_SDIV:
    return open_if(x, term_or(t, wrong, overflows(t, a, b)), term_sdiv(t, a, b));
  default: return open_if(x, term_or(t, wrong, overflows(t, a, b)), term_srem(t, a, b));
  }
}

static Term shifted(const TermsOf *x, const Expr *e, Term a, Term by) {
  Terms *t = x->terms;
  uint32_t bits = term_bits(t, a), by_bits = term_bits(t, by);
  bool may_be_wide = by_bits >= 32 || bits < UINT32_C(1) << by_bits;
  Term wide = may_be_wide ? term_not(t, term_ult(t, by, term_const(t, by_bits, bits)))
                          : term_bool(t, false);
  Term fit = term_fit(t, by, bits);
  switch ((ExprKind)e->kind) {
  case EXPR_SHL: return open_if(x, wide, term_shl(t, a, fit));
  case EXPR_LSHR: return open_if(x, wide, term_lshr(t, a, fit));
  default: return open_if(x, wide, term_ashr(t, a, fit));
  }
}

static Term operation(const TermsOf *x, const Expr *e, Term a, Term b, Term c) {
  Terms *t = x->terms;
  switch ((ExprKind)e->kind) {
  case EXPR_ADD: return term_add(t, a, b);
  case EXPR_PTRADD: return term_add(t, a, b);
  case EXPR_SUB: return term_sub(t, a, b);
  case EXPR_MUL: return term_mul(t, a, b);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM: return divided(x, e, a, b);
  case EXPR_AND: return term_and(t, a, b);
  case EXPR_OR: return term_or(t, a, b);
  case EXPR_XOR: return term_xor(t, a, b);
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return shifted(x, e, a, b);
  case EXPR_EQ: return term_eq(t, a, b);
  case EXPR_NE: return term_not(t, term_eq(t, a, b));
  case EXPR_ULT: return term_ult(t, a, b);
  case EXPR_ULE: return term_ule(t, a, b);
  case EXPR_SLT: return term_slt(t, a, b);
  case EXPR_SLE: return term_sle(t, a, b);
  case EXPR_POPCOUNT: return term_popcount(t, a);
  case EXPR_CLZ: return term_clz(t, a);
  case EXPR_CTZ: return term_ctz(t, a);
  case EXPR_BSWAP: return term_bswap(t, a);
  case EXPR_BITREV: return term_bitrev(t, a);
  case EXPR_ZEXT: return term_zext(t, a, e->bits);
  case EXPR_SEXT: return term_sext(t, a, e->bits);
  case EXPR_TRUNC: return term_extract(t, a, 0, e->bits);
  case EXPR_EXTRACT: return term_extract(t, a, e->b, e->bits);
  case EXPR_INSERT: return insert(t, a, b, e->c);
  case EXPR_BITCAST: return a;
  case EXPR_ITE: return term_ite(t, a, b, c);
  default: {
    Term ops[3] = {a, b, c};
    return float_operation(x, e, ops, expr_operand_count((ExprKind)e->kind));
  }
  }
}

static Term value_with(const TermsOf *x, ExprId id, Map *known) {
  const Expr *e = program_expr(x->program, id);
  int n = expr_operand_count((ExprKind)e->kind);
  if (n == 0) return leaf(x, e);
  uint64_t found = known ? map_find(known, id, 0) : 0;
  if (found) return (Term)found;
  Term value = x->instead ? x->instead(x->user, id) : 0;
  if (!value) {
    Term a = value_with(x, e->a, known);
    Term b = n > 1 ? value_with(x, e->b, known) : 0;
    Term c = n > 2 ? value_with(x, e->c, known) : 0;
    value = operation(x, e, a, b, c);
  }
  assert(term_bits(x->terms, value) == e->bits);
  if (known) map_put(known, id, value);
  return value;
}

/* Expressions share operands: what is heavy as a tree is translated as a graph. */
Term terms_of_expr(const TermsOf *x, ExprId id) {
  enum { LIGHT = 64 };
  if (program_expr(x->program, id)->weight < LIGHT) return value_with(x, id, NULL);
  Map known = {0};
  Term value = value_with(x, id, &known);
  map_free(&known);
  return value;
}

Term terms_update(Terms *t, RmwKind kind, Term old, Term operand) {
  switch (kind) {
  case RMW_XCHG: return operand;
  case RMW_ADD: return term_add(t, old, operand);
  case RMW_SUB: return term_sub(t, old, operand);
  case RMW_AND: return term_and(t, old, operand);
  case RMW_NAND: return term_not(t, term_and(t, old, operand));
  case RMW_OR: return term_or(t, old, operand);
  case RMW_XOR: return term_xor(t, old, operand);
  case RMW_SMAX: return term_ite(t, term_slt(t, old, operand), operand, old);
  case RMW_SMIN: return term_ite(t, term_slt(t, old, operand), old, operand);
  case RMW_UMAX: return term_ite(t, term_ult(t, old, operand), operand, old);
  case RMW_UMIN: return term_ite(t, term_ult(t, old, operand), old, operand);
  case RMW_NONE:
  case RMW_FADD:
  case RMW_FSUB:
  case RMW_FMAX:
  case RMW_FMIN:
  case RMW_COUNT: break;
  }
  return 0;
}

void terms_conjuncts(Terms *t, Term condition, TermVec *ret) {
  enum { MOST = 256 };
  TermVec stack = {0};
  vec_push(&stack, condition);
  while (stack.len) {
    Term part = vec_pop(&stack);
    Term inner = term_kind(t, part) == TERM_NOT ? term_operand(t, part, 0) : 0;
    bool room = ret->len + stack.len < MOST;
    if (room && term_kind(t, part) == TERM_AND) {
      vec_push(&stack, term_operand(t, part, 0));
      vec_push(&stack, term_operand(t, part, 1));
    } else if (room && inner && term_kind(t, inner) == TERM_OR) {
      vec_push(&stack, term_not(t, term_operand(t, inner, 0)));
      vec_push(&stack, term_not(t, term_operand(t, inner, 1)));
    } else {
      vec_push(ret, part);
    }
  }
  vec_free(&stack);
}
