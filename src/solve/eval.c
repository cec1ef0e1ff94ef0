/* Values of terms. What every operation means on numbers is said once, in term_apply; folding of
 * constants uses it too. The walk keeps its own stack, for terms may be deep. */
#include "solve/term_internal.h"

#include "base/vec.h"

void term_apply(TermKind kind, uint32_t bits, uint32_t a_bits, uint32_t b_bits,
                uint32_t low, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                uint64_t *ret) {
  uint32_t len = wide_len(bits);
  switch (kind) {
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_KIND_COUNT: assert(!"a leaf is no operation"); return;
  case TERM_NOT: wide_not(ret, a, bits); return;
  case TERM_AND:
    for (uint32_t i = 0; i < len; i++) ret[i] = a[i] & b[i];
    return;
  case TERM_OR:
    for (uint32_t i = 0; i < len; i++) ret[i] = a[i] | b[i];
    return;
  case TERM_XOR:
    for (uint32_t i = 0; i < len; i++) ret[i] = a[i] ^ b[i];
    return;
  case TERM_SHL: wide_shl(ret, a, wide_distance(b, bits), bits); return;
  case TERM_LSHR: wide_lshr(ret, a, wide_distance(b, bits), bits); return;
  case TERM_ASHR: wide_ashr(ret, a, wide_distance(b, bits), bits); return;
  case TERM_EXTRACT: wide_extract(ret, a, a_bits, low, bits); return;
  case TERM_CONCAT: wide_concat(ret, a, a_bits, b, b_bits); return;
  case TERM_SEXT: wide_sext(ret, a, a_bits, bits); return;
  case TERM_ADD: wide_add(ret, a, b, bits); return;
  case TERM_MUL: wide_mul(ret, a, b, bits); return;
  case TERM_UDIV: wide_udivrem(ret, NULL, a, b, bits); return;
  case TERM_UREM: wide_udivrem(NULL, ret, a, b, bits); return;
  case TERM_SDIV: wide_sdivrem(ret, NULL, a, b, bits); return;
  case TERM_SREM: wide_sdivrem(NULL, ret, a, b, bits); return;
  case TERM_EQ: *ret = wide_eq(a, b, a_bits); return;
  case TERM_ULT: *ret = wide_ult(a, b, a_bits); return;
  case TERM_SLT: *ret = wide_slt(a, b, a_bits); return;
  case TERM_ITE: memcpy(ret, *a & 1 ? b : c, len * sizeof *ret); return;
  }
}

struct TermValues {
  const Terms *terms;
  uint32_t *place; /* term → where its words begin, + 1; 0: not known */
  uint32_t place_len;
  VEC(Term) known; /* to clear only what was set */
  VEC(uint64_t) words;
  VEC(Term) stack;
};

TermValues *term_values_new(const Terms *terms) {
  TermValues *values = mem_alloc_zero(sizeof *values);
  values->terms = terms;
  return values;
}

void term_values_free(TermValues *values) {
  if (!values) return;
  mem_free(values->place);
  vec_free(&values->known);
  vec_free(&values->words);
  vec_free(&values->stack);
  mem_free(values);
}

void term_values_clear(TermValues *values) {
  for (uint32_t i = 0; i < values->known.len; i++)
    values->place[values->known.data[i]] = 0;
  vec_clear(&values->known);
  vec_clear(&values->words);
}

static const uint64_t *known(const TermValues *values, Term t) {
  const TermNode *n = node(values->terms, t);
  return n->kind == TERM_CONST ? n->words : values->words.data + values->place[t] - 1;
}

static bool is_known(const TermValues *values, Term t) {
  return is_const(values->terms, t) || values->place[t];
}

/* All operands are known. */
static void compute(TermValues *values, Term t, TermValue *value, void *user) {
  const TermNode *n = node(values->terms, t);
  uint32_t at = values->words.len;
  (void)vec_extend(&values->words, wide_len(n->bits));
  uint64_t *words = values->words.data + at;
  if (n->kind == TERM_VAR) {
    value(user, t, words);
    wide_cut(words, n->bits);
  } else {
    Term b = term_operand(values->terms, t, 1), c = term_operand(values->terms, t, 2);
    term_apply((TermKind)n->kind, n->bits, bits_of(values->terms, n->a),
               b ? bits_of(values->terms, b) : 0, term_low(values->terms, t),
               known(values, n->a), b ? known(values, b) : NULL,
               c ? known(values, c) : NULL, words);
  }
  values->place[t] = at + 1;
  vec_push(&values->known, t);
}

/* Fresh zeroed memory, of which a small question in a large pool touches little. */
static void make_room(TermValues *values, Term t) {
  if (t < values->place_len) return;
  /* Terms may come one by one between questions: then there is room for more. */
  uint32_t len = values->terms->len;
  if (values->place) len += len / 2;
  uint32_t *place = mem_alloc_zero(len * sizeof *place);
  if (values->place) memcpy(place, values->place, values->place_len * sizeof *place);
  mem_free(values->place);
  values->place = place;
  values->place_len = len;
}

const uint64_t *term_values_get(TermValues *values, Term t, TermValue *value,
                                void *user) {
  make_room(values, t);
  if (is_known(values, t)) return known(values, t);
  vec_clear(&values->stack);
  vec_push(&values->stack, t);
  while (values->stack.len) {
    Term top = *vec_last(&values->stack);
    if (is_known(values, top)) {
      vec_pop(&values->stack);
      continue;
    }
    uint32_t before = values->stack.len;
    for (int i = 0; i < 3; i++) {
      Term operand = term_operand(values->terms, top, i);
      if (operand && !is_known(values, operand)) vec_push(&values->stack, operand);
    }
    if (values->stack.len > before) continue;
    vec_pop(&values->stack);
    compute(values, top, value, user);
  }
  return known(values, t);
}

void term_eval(const Terms *terms, Term t, TermValue *value, void *user,
               uint64_t *ret_words) {
  TermValues *values = term_values_new(terms);
  const uint64_t *words = term_values_get(values, t, value, user);
  memcpy(ret_words, words, wide_len(bits_of(terms, t)) * sizeof *ret_words);
  term_values_free(values);
}
