/* See blast.h. The walk has its own stack; terms may be deep. */
#include "solve/blast.h"

#include "base/vec.h"
#include "solve/circuit.h"
#include "solve/term_internal.h"

struct Blast {
  const Terms *terms;
  Gates *gates;
  VEC(uint32_t) place; /* term → where its literals begin, + 1; 0: not translated */
  VEC(Lit) lits;
  VEC(Term) stack;
};

Blast *blast_new(const Terms *terms, Gates *gates) {
  Blast *blast = mem_alloc_zero(sizeof *blast);
  blast->terms = terms;
  blast->gates = gates;
  return blast;
}

void blast_free(Blast *blast) {
  if (!blast) return;
  vec_free(&blast->place);
  vec_free(&blast->lits);
  vec_free(&blast->stack);
  mem_free(blast);
}

const Lit *blast_lits(const Blast *blast, Term t) {
  uint32_t place = t < blast->place.len ? blast->place.data[t] : 0;
  return place ? blast->lits.data + place - 1 : NULL;
}

/* What a term is translated from: its operands, but (p + q) + 1 is one adder with a carry. */
static uint32_t sources(const Terms *terms, Term t, Term *ret) {
  const TermNode *n = node(terms, t);
  if (n->kind == TERM_ADD && is_one(terms, n->b) && kind_of(terms, n->a) == TERM_ADD) {
    const TermNode *sum = node(terms, n->a);
    ret[0] = sum->a, ret[1] = sum->b;
    return 2;
  }
  uint32_t count = 0;
  for (int i = 0; i < 3; i++) {
    Term operand = term_operand(terms, t, i);
    if (operand) ret[count++] = operand;
  }
  return count;
}

static void blast_const(const TermNode *n, Lit *ret) {
  for (uint32_t i = 0; i < n->bits; i++) ret[i] = wide_bit(n->words, i);
}

/* Operands are translated; `a`, `b`, `c` are theirs. */
static void blast_node(Gates *gates, const TermNode *n, uint32_t a_bits, uint32_t b_bits,
                       Lit carry, const Lit *a, const Lit *b, const Lit *c, Lit *ret) {
  uint32_t bits = n->bits;
  switch ((TermKind)n->kind) {
  case TERM_NONE:
  case TERM_KIND_COUNT: assert(!"no term"); return;
  case TERM_CONST: blast_const(n, ret); return;
  case TERM_VAR:
    for (uint32_t i = 0; i < bits; i++) ret[i] = gate_input(gates);
    return;
  case TERM_NOT:
    for (uint32_t i = 0; i < bits; i++) ret[i] = lit_not(a[i]);
    return;
  case TERM_AND:
    for (uint32_t i = 0; i < bits; i++) ret[i] = gate_and(gates, a[i], b[i]);
    return;
  case TERM_OR:
    for (uint32_t i = 0; i < bits; i++) ret[i] = gate_or(gates, a[i], b[i]);
    return;
  case TERM_XOR:
    for (uint32_t i = 0; i < bits; i++) ret[i] = gate_xor(gates, a[i], b[i]);
    return;
  case TERM_SHL: circuit_shift_left(gates, ret, a, b, bits); return;
  case TERM_LSHR: circuit_shift_right(gates, ret, a, b, LIT_FALSE, bits); return;
  case TERM_ASHR: circuit_shift_right(gates, ret, a, b, a[bits - 1], bits); return;
  case TERM_EXTRACT: memcpy(ret, a + n->b, bits * sizeof *ret); return;
  case TERM_CONCAT:
    memcpy(ret, b, b_bits * sizeof *ret);
    memcpy(ret + b_bits, a, a_bits * sizeof *ret);
    return;
  case TERM_SEXT:
    for (uint32_t i = 0; i < bits; i++) ret[i] = a[i < a_bits ? i : a_bits - 1];
    return;
  case TERM_ADD: circuit_add(gates, ret, a, b, carry, bits); return;
  case TERM_MUL: circuit_mul(gates, ret, a, b, bits); return;
  case TERM_UDIV: circuit_udivrem(gates, ret, NULL, a, b, bits); return;
  case TERM_UREM: circuit_udivrem(gates, NULL, ret, a, b, bits); return;
  case TERM_SDIV: circuit_sdivrem(gates, ret, NULL, a, b, bits); return;
  case TERM_SREM: circuit_sdivrem(gates, NULL, ret, a, b, bits); return;
  case TERM_EQ: *ret = circuit_eq(gates, a, b, a_bits); return;
  case TERM_ULT: *ret = circuit_ult(gates, a, b, a_bits); return;
  case TERM_SLT: *ret = circuit_slt(gates, a, b, a_bits); return;
  case TERM_ITE: circuit_ite(gates, ret, *a, b, c, bits); return;
  }
}

static void translate(Blast *blast, Term t, const Term *from, uint32_t count) {
  const TermNode *n = node(blast->terms, t);
  uint32_t at = blast->lits.len;
  (void)vec_extend(&blast->lits, n->bits);
  const Lit *lits[3] = {0};
  uint32_t bits[3] = {0};
  for (uint32_t i = 0; i < count; i++) {
    lits[i] = blast_lits(blast, from[i]);
    bits[i] = bits_of(blast->terms, from[i]);
  }
  Lit carry = n->kind == TERM_ADD && from[0] != n->a ? LIT_TRUE : LIT_FALSE;
  blast_node(blast->gates, n, bits[0], bits[1], carry, lits[0], lits[1], lits[2],
             blast->lits.data + at);
  blast->place.data[t] = at + 1;
}

bool blast_term(Blast *blast, Term t, GatePoll *poll, void *poll_user) {
  if (blast_lits(blast, t)) return true;
  if (blast->place.len <= t) (void)vec_extend(&blast->place, t + 1 - blast->place.len);
  vec_clear(&blast->stack);
  vec_push(&blast->stack, t);
  uint32_t steps = 0;
  while (blast->stack.len) {
    if ((++steps & 0xff) == 0 && poll && poll(poll_user)) return false;
    Term top = *vec_last(&blast->stack);
    if (blast->place.data[top]) {
      vec_pop(&blast->stack);
      continue;
    }
    Term from[3];
    uint32_t count = sources(blast->terms, top, from), before = blast->stack.len;
    for (uint32_t i = count; i-- > 0;)
      if (!blast->place.data[from[i]]) vec_push(&blast->stack, from[i]);
    if (blast->stack.len > before) continue;
    vec_pop(&blast->stack);
    translate(blast, top, from, count);
  }
  return true;
}
