/* Terms mean what the interpreter means: for every kind of expression over integers and addresses, the
 * term that an engine makes of it has the value that value_apply computes, wherever it computes one. The
 * operands are variables, so that no constant is folded, and constants, so that all are. */
#include "model/exec/value.h"
#include "solve/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WORDS = 4 };

static uint64_t seed = 1;
static uint32_t compared;

static uint64_t rnd(void) {
  seed += 0x9e3779b97f4a7c15u;
  uint64_t z = seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static void random_value(uint64_t *words, uint32_t bits) {
  uint32_t shape = rnd() % 6;
  for (uint32_t i = 0; i < value_words(bits); i++)
    words[i] = shape == 0 ? 0 : shape == 1 ? UINT64_MAX : shape == 2 ? i == 0 : rnd();
  if (shape == 3) memset(words, 0, WORDS * sizeof *words), words[0] = rnd() % (bits + 2);
  words[value_words(bits) - 1] &= value_mask((bits - 1) % 64 + 1);
}

/* 0: not an operation on bits. */
static Term term_of(Terms *t, const ValueOp *op, Term a, Term b, Term c) {
  switch ((ExprKind)op->kind) {
  case EXPR_ADD:
  case EXPR_PTRADD: return term_add(t, a, b);
  case EXPR_SUB: return term_sub(t, a, b);
  case EXPR_MUL: return term_mul(t, a, b);
  case EXPR_UDIV: return term_udiv(t, a, b);
  case EXPR_SDIV: return term_sdiv(t, a, b);
  case EXPR_UREM: return term_urem(t, a, b);
  case EXPR_SREM: return term_srem(t, a, b);
  case EXPR_AND: return term_and(t, a, b);
  case EXPR_OR: return term_or(t, a, b);
  case EXPR_XOR: return term_xor(t, a, b);
  case EXPR_SHL: return term_shl(t, a, b);
  case EXPR_LSHR: return term_lshr(t, a, b);
  case EXPR_ASHR: return term_ashr(t, a, b);
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
  case EXPR_ZEXT: return term_zext(t, a, op->bits);
  case EXPR_SEXT: return term_sext(t, a, op->bits);
  case EXPR_TRUNC: return term_extract(t, a, 0, op->bits);
  case EXPR_EXTRACT: return term_extract(t, a, op->low, op->bits);
  case EXPR_INSERT: {
    uint32_t above = op->low + op->b_bits;
    Term r = b;
    if (op->low) r = term_concat(t, r, term_extract(t, a, 0, op->low));
    if (above < op->bits)
      r = term_concat(t, term_extract(t, a, above, op->bits - above), r);
    return r;
  }
  case EXPR_BITCAST: return a;
  case EXPR_ITE: return term_ite(t, a, b, c);
  case EXPR_NONE:
  case EXPR_CONST:
  case EXPR_WIDE:
  case EXPR_UNDEF:
  case EXPR_LOCAL:
  case EXPR_OBJECT:
  case EXPR_FUNC:
  case EXPR_LABEL:
  case EXPR_FADD:
  case EXPR_FSUB:
  case EXPR_FMUL:
  case EXPR_FDIV:
  case EXPR_FREM:
  case EXPR_FNEG:
  case EXPR_FABS:
  case EXPR_FMA:
  case EXPR_FCOPYSIGN:
  case EXPR_FEQ:
  case EXPR_FLT:
  case EXPR_FLE:
  case EXPR_FORD:
  case EXPR_FTOF:
  case EXPR_FTOSI:
  case EXPR_FTOUI:
  case EXPR_SITOF:
  case EXPR_UITOF:
  case EXPR_KIND_COUNT: break;
  }
  return 0;
}

/* Widths that the kind allows. */
static ValueOp random_op(ExprKind kind) {
  uint32_t bits = rnd() % 3 ? 1 + rnd() % 70 : 1 + rnd() % 200;
  if (kind == EXPR_BSWAP) bits = 8 * (1 + rnd() % 16);
  if (kind == EXPR_PTRADD) bits = 64;
  ValueOp op = {.kind = kind, .sort = SORT_INT, .a_sort = SORT_INT, .bits = bits};
  op.a_bits = op.b_bits = bits;
  bool truth = kind >= EXPR_EQ && kind <= EXPR_SLE;
  if (truth) op.bits = 1;
  if (kind == EXPR_ITE) op.a_bits = 1;
  if (kind == EXPR_ZEXT || kind == EXPR_SEXT) op.bits = bits + rnd() % 40;
  if (kind == EXPR_TRUNC) op.bits = 1 + rnd() % bits;
  if (kind == EXPR_EXTRACT) op.low = rnd() % bits, op.bits = 1 + rnd() % (bits - op.low);
  if (kind == EXPR_INSERT) op.low = rnd() % bits, op.b_bits = 1 + rnd() % (bits - op.low);
  return op;
}

typedef struct {
  Term var[3];
  uint32_t bits[3];
  uint64_t words[3][WORDS];
} Operands;

static void operand_value(void *user, Term var, uint64_t *words) {
  Operands *o = user;
  for (int i = 0; i < 3; i++)
    if (o->var[i] == var)
      memcpy(words, o->words[i], value_words(o->bits[i]) * sizeof *words);
}

static void compare(ExprKind kind) {
  ValueOp op = random_op(kind);
  Operands o = {.bits = {op.a_bits, op.b_bits, op.b_bits}};
  Terms *terms = terms_new();
  Term constant[3];
  for (int i = 0; i < 3; i++) {
    random_value(o.words[i], o.bits[i]);
    o.var[i] = term_var(terms, o.bits[i], NULL);
    constant[i] = term_wide(terms, o.bits[i], o.words[i]);
  }
  const Term *var = o.var;
  uint64_t expected[WORDS] = {0}, found[WORDS] = {0};
  Term t = term_of(terms, &op, var[0], var[1], var[2]);
  if (t && value_apply(&op, expected, o.words[0], o.words[1], o.words[2]) == VALUE_OK) {
    compared++;
    size_t size = value_words(op.bits) * sizeof *found;
    term_eval(terms, t, operand_value, &o, found);
    if (memcmp(found, expected, size) != 0)
      fail_msg("%s of %u bits", expr_kind_text(kind), op.a_bits);
    Term folded = term_of(terms, &op, constant[0], constant[1], constant[2]);
    assert_memory_equal(term_const_words(terms, folded), expected, size);
  }
  terms_free(terms);
}

static void terms_mean_what_is_run(void **state) {
  (void)state;
  for (int kind = 0; kind < EXPR_KIND_COUNT; kind++)
    for (uint32_t i = 0; i < 400; i++) compare((ExprKind)kind);
  assert_true(compared > 9000); /* of 31 kinds 400 each, but for what is undefined */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(terms_mean_what_is_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
