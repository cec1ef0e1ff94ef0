/* Rules of ite. Conditions carry no complement; choices by the same condition, or with a branch in
 * common, are one choice. */
#include "solve/term_internal.h"

/* Of truth values; 0: no rule. */
static Term ite_bool(Terms *terms, Term c, Term then, Term otherwise) {
  if (term_is_true(terms, then) || then == c) return term_or(terms, c, otherwise);
  if (term_is_false(terms, otherwise) || otherwise == c) return term_and(terms, c, then);
  if (term_is_false(terms, then) || are_complements(terms, then, c))
    return term_and(terms, term_not(terms, c), otherwise);
  if (term_is_true(terms, otherwise) || are_complements(terms, otherwise, c))
    return term_or(terms, term_not(terms, c), then);
  if (are_complements(terms, then, otherwise)) return term_eq(terms, c, then);
  return 0;
}

/* A branch is a choice itself; 0: no rule. */
static Term ite_nested(Terms *terms, Term c, Term then, Term otherwise) {
  TermNode x = *node(terms, then), y = *node(terms, otherwise);
  if (x.kind == TERM_ITE) {
    if (x.a == c) return term_ite(terms, c, x.b, otherwise);
    if (x.c == otherwise) return term_ite(terms, term_and(terms, c, x.a), x.b, otherwise);
    if (x.b == otherwise) {
      Term not = term_not(terms, x.a);
      return term_ite(terms, term_and(terms, c, not), x.c, otherwise);
    }
  }
  if (y.kind == TERM_ITE) {
    if (y.a == c) return term_ite(terms, c, then, y.c);
    if (y.b == then) return term_ite(terms, term_or(terms, c, y.a), then, y.c);
    if (y.c == then) {
      Term not = term_not(terms, y.a);
      return term_ite(terms, term_or(terms, c, not), then, y.b);
    }
  }
  return 0;
}

/* x == y ? x : y and the like */
static Term ite_eq(const Terms *terms, Term c, Term then, Term otherwise) {
  const TermNode *n = node(terms, c);
  if (n->kind != TERM_EQ) return 0;
  bool those = (n->a == then && n->b == otherwise) || (n->b == then && n->a == otherwise);
  return those ? otherwise : 0;
}

Term term_ite(Terms *terms, Term c, Term then, Term otherwise) {
  uint32_t bits = bits_of(terms, then);
  assert(bits_of(terms, c) == 1 && bits == bits_of(terms, otherwise));
  if (then == otherwise) return then;
  TermNode n = *node(terms, c);
  if (n.kind == TERM_CONST) return n.words[0] ? then : otherwise;
  if (n.kind == TERM_NOT) {
    Term t = then;
    c = n.a, then = otherwise, otherwise = t;
  }
  Term result = 0;
  if (bits == 1 && (result = ite_bool(terms, c, then, otherwise))) return result;
  if ((result = ite_eq(terms, c, then, otherwise))) return result;
  if (terms_down(terms)) {
    result = ite_nested(terms, c, then, otherwise);
    terms_up(terms);
    if (result) return result;
  }
  if (bits > 1 && is_zero(terms, otherwise)) {
    if (is_one(terms, then)) return term_zext(terms, c, bits);
    if (is_ones(terms, then)) return term_sext(terms, c, bits);
  }
  return term_make(terms, TERM_ITE, bits, c, then, otherwise);
}
