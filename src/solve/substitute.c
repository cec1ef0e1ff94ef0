/* Terms with other terms in the place of their variables, and the variables of terms. Both walks keep
 * their own stack, for terms may be deep. */
#include "solve/term_internal.h"

#include "base/map.h"
#include "base/vec.h"

#include <assert.h>

/* The node once more, with other operands. */
static Term rebuild(Terms *terms, Term t, const Term *ops) {
  Term a = ops[0], b = ops[1], c = ops[2];
  uint32_t bits = term_bits(terms, t);
  switch (term_kind(terms, t)) {
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_KIND_COUNT: break;
  case TERM_NOT: return term_not(terms, a);
  case TERM_AND: return term_and(terms, a, b);
  case TERM_OR: return term_or(terms, a, b);
  case TERM_XOR: return term_xor(terms, a, b);
  case TERM_SHL: return term_shl(terms, a, b);
  case TERM_LSHR: return term_lshr(terms, a, b);
  case TERM_ASHR: return term_ashr(terms, a, b);
  case TERM_EXTRACT: return term_extract(terms, a, term_low(terms, t), bits);
  case TERM_CONCAT: return term_concat(terms, a, b);
  case TERM_SEXT: return term_sext(terms, a, bits);
  case TERM_ADD: return term_add(terms, a, b);
  case TERM_MUL: return term_mul(terms, a, b);
  case TERM_UDIV: return term_udiv(terms, a, b);
  case TERM_UREM: return term_urem(terms, a, b);
  case TERM_SDIV: return term_sdiv(terms, a, b);
  case TERM_SREM: return term_srem(terms, a, b);
  case TERM_EQ: return term_eq(terms, a, b);
  case TERM_ULT: return term_ult(terms, a, b);
  case TERM_SLT: return term_slt(terms, a, b);
  case TERM_ITE: return term_ite(terms, a, b, c);
  }
  return t;
}

Term term_substitute(Terms *terms, Term t, Map *with) {
  VEC(Term) stack = {0};
  vec_push(&stack, t);
  while (stack.len) {
    Term x = *vec_last(&stack);
    Term ops[3] = {0};
    uint32_t waiting = stack.len;
    if (map_get(with, x)) {
      (void)vec_pop(&stack);
      continue;
    }
    for (int i = 0; i < 3 && term_operand(terms, x, i); i++) {
      Term op = term_operand(terms, x, i);
      ops[i] = (Term)map_find(with, op, 0);
      if (!ops[i]) vec_push(&stack, op);
    }
    if (stack.len > waiting) continue;
    (void)vec_pop(&stack);
    map_put(with, x, rebuild(terms, x, ops));
  }
  vec_free(&stack);
  assert(term_bits(terms, (Term)map_find(with, t, 0)) == term_bits(terms, t));
  return (Term)map_find(with, t, 0);
}

void term_variables(const Terms *terms, Term t, Map *seen, TermVisit *visit, void *user) {
  VEC(Term) stack = {0};
  vec_push(&stack, t);
  while (stack.len) {
    Term x = vec_pop(&stack);
    if (map_get(seen, x)) continue;
    map_put(seen, x, 1);
    if (term_kind(terms, x) == TERM_VAR) visit(user, x);
    for (int i = 0; i < 3 && term_operand(terms, x, i); i++)
      vec_push(&stack, term_operand(terms, x, i));
  }
  vec_free(&stack);
}
