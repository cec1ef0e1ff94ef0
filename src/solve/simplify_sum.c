/* Rules of sums and products. A sum has its constant outermost: (x + y) + c. A negative is
 * not x + 1, so that x - y is (x + not y) + 1 and cancels by looking at complements. Products by
 * constants are distributed over constant summands; those by powers of two are wires. One-bit
 * sums and products are xor and and. */
#include "solve/term_internal.h"

Term term_neg(Terms *terms, Term a) {
  uint32_t bits = bits_of(terms, a);
  Term complement = term_not(terms, a);
  return term_add(terms, complement, term_const(terms, bits, 1));
}

/* (x : c) - (y : d): the constants are as far apart, and perhaps one is borrowed for them. */
static Term sub_parts(Terms *terms, Term a, Term b) {
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind != TERM_CONCAT || y.kind != TERM_CONCAT || !is_const(terms, x.b) ||
      !is_const(terms, y.b) || bits_of(terms, x.b) != bits_of(terms, y.b) ||
      !terms_down(terms))
    return 0;
  Term high = term_sub(terms, x.a, y.a);
  if (term_is_true(terms, term_ult(terms, x.b, y.b)))
    high = term_add(terms, high, term_ones(terms, bits_of(terms, high)));
  Term result = term_concat(terms, high, term_sub(terms, x.b, y.b));
  terms_up(terms);
  return result;
}

Term term_sub(Terms *terms, Term a, Term b) {
  if (a == b) return term_zeros(terms, bits_of(terms, a));
  Term parts = sub_parts(terms, a, b);
  if (parts) return parts;
  return term_add(terms, a, term_neg(terms, b));
}

/* Splits a into core and constant; either may be 0 for none. */
static void split(const Terms *terms, Term a, Term *ret_core, Term *ret_constant) {
  const TermNode *n = node(terms, a);
  *ret_core = a, *ret_constant = 0;
  if (n->kind == TERM_CONST) *ret_core = 0, *ret_constant = a;
  if (n->kind == TERM_ADD && is_const(terms, n->b))
    *ret_core = n->a, *ret_constant = n->b;
}

/* The lowest bits that are written as 0, behind whatever else: x : (y : 0). */
static uint32_t zeros_at_end(const Terms *terms, Term x) {
  const TermNode *n = node(terms, x);
  while (n->kind == TERM_CONCAT && !is_zero(terms, n->b)) n = node(terms, n->b);
  return n->kind == TERM_CONCAT ? bits_of(terms, n->b) : 0;
}

/* x + c where x is no sum with a constant and c is not 0 */
static Term add_const(Terms *terms, Term x, Term c) {
  TermNode n = *node(terms, x);
  if (is_choice(terms, x)) return term_fold_binary(terms, TERM_ADD, n.bits, x, c);
  if (n.kind == TERM_CONCAT && terms_down(terms)) {
    /* what does not reach across the cut */
    uint32_t cut = bits_of(terms, n.b), rest = bits_of(terms, n.a);
    Term low = term_extract(terms, c, 0, cut), high = term_extract(terms, c, cut, rest);
    uint32_t zeros = zeros_at_end(terms, x);
    Term result = 0;
    if (is_zero(terms, low)) {
      result = term_concat(terms, term_add(terms, n.a, high), n.b);
    } else if (zeros) {
      Term upper = term_extract(terms, x, zeros, n.bits - zeros);
      Term more = term_extract(terms, c, zeros, n.bits - zeros);
      result = term_concat(terms, term_add(terms, upper, more),
                           term_extract(terms, c, 0, zeros));
    }
    terms_up(terms);
    if (result) return result;
  }
  return term_make(terms, TERM_ADD, n.bits, x, c, 0);
}

/* x = core * factor; a factor that is not written is 1, returned as 0. */
static Term factor_of(const Terms *terms, Term x, Term *ret_core) {
  const TermNode *n = node(terms, x);
  *ret_core = x;
  if (n->kind != TERM_MUL || !is_const(terms, n->b)) return 0;
  *ret_core = n->a;
  return n->b;
}

/* The high bits of one and the low bits of the other: (h : 0) + (0 : l) = h : l. */
static Term add_disjoint(Terms *terms, Term p, Term q) {
  TermNode x = *node(terms, p), y = *node(terms, q);
  if (x.kind != TERM_CONCAT || y.kind != TERM_CONCAT) return 0;
  if (!is_zero(terms, x.b) || !is_zero(terms, y.a)) return 0;
  uint32_t cut = bits_of(terms, x.b);
  if (bits_of(terms, y.b) > cut || !terms_down(terms)) return 0;
  Term result = term_concat(terms, x.a, term_zext(terms, y.b, cut));
  terms_up(terms);
  return result;
}

/* p + q if q contains p or its complement. *less: one is to be subtracted from the result. */
static Term cancel(Terms *terms, Term p, Term q, bool *less) {
  TermNode n = *node(terms, q);
  if (n.kind == TERM_ADD) {
    if (are_complements(terms, n.a, p)) return *less = true, n.b;
    if (are_complements(terms, n.b, p)) return *less = true, n.a;
  } else if (n.kind == TERM_NOT) {
    n = *node(terms, n.a); /* p + not (p + y) = not y */
    if (n.kind == TERM_ADD && n.a == p) return term_not(terms, n.b);
    if (n.kind == TERM_ADD && n.b == p) return term_not(terms, n.a);
  }
  return 0;
}

static Term add_factors(Terms *terms, Term p, Term q) {
  Term x, y, fp = factor_of(terms, p, &x), fq = factor_of(terms, q, &y);
  if (x != y || (!fp && !fq)) return 0;
  Term one = term_const(terms, bits_of(terms, p), 1);
  return term_mul(terms, x, term_add(terms, fp ? fp : one, fq ? fq : one));
}

Term term_add(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) return term_xor(terms, a, b);
  Term p, q, c, d;
  split(terms, a, &p, &c);
  split(terms, b, &q, &d);
  Term constant = c && d ? term_fold(terms, TERM_ADD, bits, c, d) : c ? c : d;
  Term core = p ? p : q;
  if (p && q) {
    bool less = false;
    if (p == q) {
      Term zero = term_bool(terms, false);
      core = term_concat(terms, term_extract(terms, p, 0, bits - 1), zero);
    } else if (are_complements(terms, p, q)) {
      core = term_ones(terms, bits);
    } else if (!(core = cancel(terms, p, q, &less)) &&
               !(core = cancel(terms, q, p, &less)) &&
               !(core = add_factors(terms, p, q)) &&
               !(core = add_disjoint(terms, p, q)) &&
               !(core = add_disjoint(terms, q, p))) {
      put_in_order(terms, &p, &q);
      core = term_make(terms, TERM_ADD, bits, p, q, 0);
    }
    if (less) {
      Term minus = term_ones(terms, bits);
      constant = constant ? term_fold(terms, TERM_ADD, bits, constant, minus) : minus;
    }
  }
  if (!core) return constant;
  if (!constant || is_zero(terms, constant)) return core;
  /* The core may have become a constant or a sum with one. */
  split(terms, core, &p, &c);
  if (!c) return add_const(terms, core, constant);
  constant = term_fold(terms, TERM_ADD, bits, c, constant);
  if (!p) return constant;
  return is_zero(terms, constant) ? p : add_const(terms, p, constant);
}

/* c is neither 0 nor 1. */
static Term mul_const(Terms *terms, Term a, Term c) {
  TermNode n = *node(terms, a);
  uint32_t shift = wide_log2(node(terms, c)->words, n.bits);
  if (shift < n.bits) {
    Term zeros = term_zeros(terms, shift);
    return term_concat(terms, term_extract(terms, a, 0, n.bits - shift), zeros);
  }
  if (is_ones(terms, c)) return term_neg(terms, a);
  if (n.kind == TERM_MUL && is_const(terms, n.b))
    return term_mul(terms, n.a, term_fold(terms, TERM_MUL, n.bits, n.b, c));
  if (n.kind == TERM_ADD && is_const(terms, n.b)) {
    Term product = term_mul(terms, n.a, c);
    return term_add(terms, product, term_fold(terms, TERM_MUL, n.bits, n.b, c));
  }
  if (n.kind == TERM_NOT) { /* (-x - 1) c = x (-c) - c */
    Term minus = term_neg(terms, c);
    return term_add(terms, term_mul(terms, n.a, minus), minus);
  }
  if (is_choice(terms, a)) return term_fold_binary(terms, TERM_MUL, n.bits, a, c);
  return term_make(terms, TERM_MUL, n.bits, a, c, 0);
}

Term term_mul(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) return term_and(terms, a, b);
  put_in_order(terms, &a, &b);
  if (is_const(terms, b)) {
    if (is_const(terms, a)) return term_fold(terms, TERM_MUL, bits, a, b);
    if (is_zero(terms, b)) return b;
    if (is_one(terms, b)) return a;
    return mul_const(terms, a, b);
  }
  /* A constant factor goes outwards. */
  Term x, y, fa = factor_of(terms, a, &x), fb = factor_of(terms, b, &y);
  if ((fa || fb) && terms_down(terms)) {
    Term factor = fa && fb ? term_fold(terms, TERM_MUL, bits, fa, fb) : fa ? fa : fb;
    Term result = term_mul(terms, term_mul(terms, x, y), factor);
    terms_up(terms);
    return result;
  }
  return term_make(terms, TERM_MUL, bits, a, b, 0);
}
