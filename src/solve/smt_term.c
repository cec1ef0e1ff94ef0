/* See smt_term.h. The walk has its own stack; terms may be deep. */
#include "solve/smt_term.h"

#include "base/vec.h"
#include "solve/term_internal.h"

struct SmtTerms {
  const Terms *terms;
  Z3_context z3;
  VEC(Z3_ast) asts; /* term → translation, or NULL */
  VEC(Term) stack;
};

SmtTerms *smt_terms_new(const Terms *terms, Z3_context z3) {
  SmtTerms *translated = mem_alloc_zero(sizeof *translated);
  translated->terms = terms;
  translated->z3 = z3;
  return translated;
}

void smt_terms_free(SmtTerms *translated) {
  if (!translated) return;
  vec_free(&translated->asts);
  vec_free(&translated->stack);
  mem_free(translated);
}

static Z3_ast constant(Z3_context z3, const TermNode *n) {
  if (n->bits == 1) return n->words[0] ? Z3_mk_true(z3) : Z3_mk_false(z3);
  bool *bits = mem_alloc(n->bits * sizeof *bits);
  for (uint32_t i = 0; i < n->bits; i++) bits[i] = wide_bit(n->words, i);
  Z3_ast ast = Z3_mk_bv_numeral(z3, n->bits, bits);
  mem_free(bits);
  return ast;
}

static Z3_ast variable(Z3_context z3, const TermNode *n, Term t) {
  Z3_sort sort = n->bits == 1 ? Z3_mk_bool_sort(z3) : Z3_mk_bv_sort(z3, n->bits);
  return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)t), sort);
}

/* A Bool as a bit-vector of one bit. */
static Z3_ast as_bits(Z3_context z3, Z3_ast a) {
  Z3_sort sort = Z3_mk_bv_sort(z3, 1);
  Z3_ast one = Z3_mk_unsigned_int64(z3, 1, sort);
  return Z3_mk_ite(z3, a, one, Z3_mk_unsigned_int64(z3, 0, sort));
}

static Z3_ast as_truth(Z3_context z3, Z3_ast a) {
  return Z3_mk_eq(z3, a, Z3_mk_unsigned_int64(z3, 1, Z3_mk_bv_sort(z3, 1)));
}

/* Of truth values: the operations that have a form of their own for them. */
static Z3_ast truth(Z3_context z3, TermKind kind, Z3_ast a, Z3_ast b) {
  Z3_ast both[] = {a, b};
  switch (kind) {
  case TERM_NOT: return Z3_mk_not(z3, a);
  case TERM_AND: return Z3_mk_and(z3, 2, both);
  case TERM_OR: return Z3_mk_or(z3, 2, both);
  case TERM_XOR: return Z3_mk_xor(z3, a, b);
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_EXTRACT:
  case TERM_CONCAT:
  case TERM_SEXT:
  case TERM_ADD:
  case TERM_MUL:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_EQ:
  case TERM_ULT:
  case TERM_SLT:
  case TERM_ITE:
  case TERM_KIND_COUNT: return NULL;
  }
  return NULL;
}

/* Operands are bit-vectors. */
static Z3_ast bits(Z3_context z3, const TermNode *n, uint32_t a_bits, Z3_ast a,
                   Z3_ast b) {
  switch ((TermKind)n->kind) {
  case TERM_NOT: return Z3_mk_bvnot(z3, a);
  case TERM_AND: return Z3_mk_bvand(z3, a, b);
  case TERM_OR: return Z3_mk_bvor(z3, a, b);
  case TERM_XOR: return Z3_mk_bvxor(z3, a, b);
  case TERM_SHL: return Z3_mk_bvshl(z3, a, b);
  case TERM_LSHR: return Z3_mk_bvlshr(z3, a, b);
  case TERM_ASHR: return Z3_mk_bvashr(z3, a, b);
  case TERM_EXTRACT: return Z3_mk_extract(z3, n->b + n->bits - 1, n->b, a);
  case TERM_CONCAT: return Z3_mk_concat(z3, a, b);
  case TERM_SEXT: return Z3_mk_sign_ext(z3, n->bits - a_bits, a);
  case TERM_ADD: return Z3_mk_bvadd(z3, a, b);
  case TERM_MUL: return Z3_mk_bvmul(z3, a, b);
  case TERM_UDIV: return Z3_mk_bvudiv(z3, a, b);
  case TERM_UREM: return Z3_mk_bvurem(z3, a, b);
  case TERM_SDIV: return Z3_mk_bvsdiv(z3, a, b);
  case TERM_SREM: return Z3_mk_bvsrem(z3, a, b);
  case TERM_ULT: return Z3_mk_bvult(z3, a, b);
  case TERM_SLT: return Z3_mk_bvslt(z3, a, b);
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_EQ:
  case TERM_ITE:
  case TERM_KIND_COUNT: break;
  }
  assert(!"has a translation of its own");
  return NULL;
}

static Z3_ast translate(SmtTerms *translated, Term t) {
  const Terms *terms = translated->terms;
  const TermNode *n = node(terms, t);
  Z3_context z3 = translated->z3;
  if (n->kind == TERM_CONST) return constant(z3, n);
  if (n->kind == TERM_VAR) return variable(z3, n, t);
  Z3_ast operands[3] = {0};
  for (int i = 0; i < 3; i++) {
    Term operand = term_operand(terms, t, i);
    if (operand) operands[i] = translated->asts.data[operand];
  }
  if (n->kind == TERM_ITE) return Z3_mk_ite(z3, operands[0], operands[1], operands[2]);
  if (n->kind == TERM_EQ) return Z3_mk_eq(z3, operands[0], operands[1]);
  Z3_ast ast = n->bits == 1 && bits_of(terms, n->a) == 1
                   ? truth(z3, (TermKind)n->kind, operands[0], operands[1])
                   : NULL;
  if (ast) return ast;
  for (int i = 0; i < 2; i++)
    if (operands[i] && bits_of(terms, term_operand(terms, t, i)) == 1)
      operands[i] = as_bits(z3, operands[i]);
  ast = bits(z3, n, bits_of(terms, n->a), operands[0], operands[1]);
  bool is_truth = n->kind == TERM_ULT || n->kind == TERM_SLT;
  return n->bits == 1 && !is_truth ? as_truth(z3, ast) : ast;
}

Z3_ast smt_terms_get(SmtTerms *translated, Term t) {
  if (translated->asts.len <= t)
    (void)vec_extend(&translated->asts, t + 1 - translated->asts.len);
  vec_clear(&translated->stack);
  vec_push(&translated->stack, t);
  while (translated->stack.len) {
    Term top = *vec_last(&translated->stack);
    if (translated->asts.data[top]) {
      vec_pop(&translated->stack);
      continue;
    }
    uint32_t before = translated->stack.len;
    for (int i = 0; i < 3; i++) {
      Term operand = term_operand(translated->terms, top, i);
      if (operand && !translated->asts.data[operand])
        vec_push(&translated->stack, operand);
    }
    if (translated->stack.len > before) continue;
    vec_pop(&translated->stack);
    translated->asts.data[top] = translate(translated, top);
  }
  return translated->asts.data[t];
}

/* A numeral of at most 64 bits, or pieces of that size. */
static uint64_t number(Z3_context z3, Z3_model model, Z3_ast ast) {
  Z3_ast value = NULL;
  uint64_t result = 0;
  if (!Z3_model_eval(z3, model, ast, true, &value) || !value) return 0;
  return Z3_get_numeral_uint64(z3, value, &result) ? result : 0;
}

void smt_terms_value(SmtTerms *translated, Term var, Z3_model model,
                     uint64_t *ret_words) {
  uint32_t width = bits_of(translated->terms, var);
  memset(ret_words, 0, wide_len(width) * sizeof *ret_words);
  Z3_ast ast = var < translated->asts.len ? translated->asts.data[var] : NULL;
  if (!ast || !model) return;
  Z3_context z3 = translated->z3;
  if (width == 1) {
    Z3_ast value = NULL;
    if (Z3_model_eval(z3, model, ast, true, &value) && value)
      ret_words[0] = Z3_get_bool_value(z3, value) == Z3_L_TRUE;
    return;
  }
  for (uint32_t low = 0; low < width; low += 64) {
    uint32_t high = low + 63 < width ? low + 63 : width - 1;
    Z3_ast piece =
        low == 0 && high == width - 1 ? ast : Z3_mk_extract(z3, high, low, ast);
    ret_words[low / 64] = number(z3, model, piece);
  }
}
