/* Rules of eq, ult, slt and ite, and what is made of them. Comparisons with constants go as deep
 * as they can: through sums with a constant, complements, concats, choices between constants. One-bit
 * ite is and/or, one-bit eq has its complements outside. */
#include "solve/term_internal.h"

/* ---- eq ---- */

/* Of two truth values. */
static Term eq_bool(Terms *terms, Term a, Term b) {
  put_in_order(terms, &a, &b);
  if (is_const(terms, b)) return term_is_true(terms, b) ? a : term_not(terms, a);
  bool turn = false;
  if (kind_of(terms, a) == TERM_NOT) turn = !turn, a = node(terms, a)->a;
  if (kind_of(terms, b) == TERM_NOT) turn = !turn, b = node(terms, b)->a;
  Term result;
  if (a == b) {
    result = term_bool(terms, true);
  } else {
    put_in_order(terms, &a, &b);
    TermNode x = *node(terms, a), y = *node(terms, b);
    if (y.kind == TERM_EQ && bits_of(terms, y.a) == 1 && (y.a == a || y.b == a))
      result = y.a == a ? y.b : y.a;
    else if (x.kind == TERM_EQ && bits_of(terms, x.a) == 1 && (x.a == b || x.b == b))
      result = x.a == b ? x.b : x.a;
    else
      result = term_make(terms, TERM_EQ, 1, a, b, 0);
  }
  return turn ? term_not(terms, result) : result;
}

/* ite with at least one constant branch, compared with a constant */
static Term eq_ite(Terms *terms, TermNode n, Term c) {
  Term then = is_const(terms, n.b) ? term_bool(terms, n.b == c) : 0;
  Term otherwise = is_const(terms, n.c) ? term_bool(terms, n.c == c) : 0;
  if (!then && !otherwise) return 0;
  if (!then) then = term_eq(terms, n.b, c);
  if (!otherwise) otherwise = term_eq(terms, n.c, c);
  return term_ite(terms, n.a, then, otherwise);
}

static Term eq_concat(Terms *terms, TermNode n, Term b) {
  uint32_t cut = bits_of(terms, n.b);
  Term high = term_extract(terms, b, cut, n.bits - cut);
  Term low = term_extract(terms, b, 0, cut);
  /* the cheaper question first: it may be false */
  Term first =
      is_const(terms, n.b) ? term_eq(terms, n.b, low) : term_eq(terms, n.a, high);
  if (term_is_false(terms, first)) return first;
  Term second =
      is_const(terms, n.b) ? term_eq(terms, n.a, high) : term_eq(terms, n.b, low);
  return term_and(terms, first, second);
}

/* a is not constant, b is; 0: no rule. */
static Term eq_const(Terms *terms, Term a, Term b) {
  TermNode n = *node(terms, a);
  switch ((TermKind)n.kind) {
  case TERM_NOT: return term_eq(terms, n.a, term_not(terms, b));
  case TERM_ADD:
    if (is_const(terms, n.b)) return term_eq(terms, n.a, term_sub(terms, b, n.b));
    if (!is_ones(terms, b)) return 0; /* x - y = 0 is x + not y = -1 */
    if (kind_of(terms, n.b) == TERM_NOT) return term_eq(terms, n.a, node(terms, n.b)->a);
    if (kind_of(terms, n.a) == TERM_NOT) return term_eq(terms, n.b, node(terms, n.a)->a);
    return 0;
  case TERM_XOR:
    if (is_const(terms, n.b)) return term_eq(terms, n.a, term_xor(terms, n.b, b));
    return is_zero(terms, b) ? term_eq(terms, n.a, n.b) : 0;
  case TERM_CONCAT: return eq_concat(terms, n, b);
  case TERM_SEXT: {
    Term cut = term_extract(terms, b, 0, bits_of(terms, n.a));
    if (term_sext(terms, cut, n.bits) != b) return term_bool(terms, false);
    return term_eq(terms, n.a, cut);
  }
  case TERM_ITE: return eq_ite(terms, n, b);
  case TERM_AND: /* bits that the mask has not */
    if (!is_const(terms, n.b) || term_and(terms, n.b, b) == b) return 0;
    return term_bool(terms, false);
  case TERM_OR:
    if (!is_const(terms, n.b) || term_or(terms, n.b, b) == b) return 0;
    return term_bool(terms, false);
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_EXTRACT:
  case TERM_MUL:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_EQ:
  case TERM_ULT:
  case TERM_SLT:
  case TERM_KIND_COUNT: return 0;
  }
  return 0;
}

/* What a sum has besides `part`, or 0 if it has it not. */
static Term rest_of_sum(TermNode sum, Term part) {
  if (sum.kind != TERM_ADD) return 0;
  return sum.a == part ? sum.b : sum.b == part ? sum.a : 0;
}

/* Neither is constant. */
static Term eq_terms(Terms *terms, Term a, Term b) {
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind == TERM_NOT && y.kind == TERM_NOT) return term_eq(terms, x.a, y.a);
  bool sum_a = x.kind == TERM_ADD && is_const(terms, x.b);
  bool sum_b = y.kind == TERM_ADD && is_const(terms, y.b);
  if (sum_a && sum_b) {
    Term difference = term_sub(terms, y.b, x.b);
    return term_eq(terms, x.a, term_add(terms, y.a, difference));
  }
  Term rest;
  if ((rest = rest_of_sum(x, b)) || (rest = rest_of_sum(y, a)))
    return term_eq(terms, rest, term_zeros(terms, x.bits));
  if (x.kind == TERM_ADD && !sum_a && !sum_b) {
    if ((rest = rest_of_sum(y, x.a))) return term_eq(terms, x.b, rest);
    if ((rest = rest_of_sum(y, x.b))) return term_eq(terms, x.a, rest);
  }
  if (x.kind == TERM_CONCAT && y.kind == TERM_CONCAT &&
      bits_of(terms, x.b) == bits_of(terms, y.b)) {
    Term high = term_eq(terms, x.a, y.a);
    if (term_is_false(terms, high)) return high;
    return term_and(terms, high, term_eq(terms, x.b, y.b));
  }
  if (x.kind == TERM_SEXT && y.kind == TERM_SEXT &&
      bits_of(terms, x.a) == bits_of(terms, y.a))
    return term_eq(terms, x.a, y.a);
  if (x.kind == TERM_ITE && y.kind == TERM_ITE && x.a == y.a) {
    Term then = term_eq(terms, x.b, y.b);
    return term_ite(terms, x.a, then, term_eq(terms, x.c, y.c));
  }
  return term_eq_polynomials(terms, a, b);
}

Term term_eq(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (a == b) return term_bool(terms, true);
  if (are_complements(terms, a, b)) return term_bool(terms, false);
  if (bits == 1) return eq_bool(terms, a, b);
  put_in_order(terms, &a, &b);
  bool constant = is_const(terms, b);
  if (constant && is_const(terms, a)) return term_bool(terms, false);
  if (terms_down(terms)) {
    Term result = constant ? eq_const(terms, a, b) : eq_terms(terms, a, b);
    terms_up(terms);
    if (result) return result;
  }
  return term_make(terms, TERM_EQ, 1, a, b, 0);
}

/* ---- order ---- */

/* The width of the part that a zero extension has below its zeros; 0: it is none. */
static uint32_t zext_from(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONCAT && is_zero(terms, n->a) ? bits_of(terms, n->b) : 0;
}

/* Both are below 2^cut: compare what is below the cut. */
static Term ult_below(Terms *terms, Term a, Term b, uint32_t cut) {
  if (!terms_down(terms)) return 0;
  Term low = term_extract(terms, a, 0, cut);
  Term result = term_ult(terms, low, term_extract(terms, b, 0, cut));
  terms_up(terms);
  return result;
}

static bool is_below(const Terms *terms, Term t, uint32_t cut) {
  const TermNode *n = node(terms, t);
  if (n->kind != TERM_CONST) return zext_from(terms, t) && zext_from(terms, t) <= cut;
  for (uint32_t i = cut; i < n->bits; i++)
    if (wide_bit(n->words, i)) return false;
  return true;
}

/* a < b with one of them constant; 0: no rule. */
static Term ult_const(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  if (is_const(terms, b)) {
    if (is_zero(terms, b)) return term_bool(terms, false);
    if (is_ones(terms, b)) return term_not(terms, term_eq(terms, a, b));
    uint32_t power = wide_log2(node(terms, b)->words, bits);
    if (power < bits && terms_down(terms)) { /* all bits from there on are 0 */
      Term high = term_extract(terms, a, power, bits - power);
      Term result = term_eq(terms, high, term_zeros(terms, bits - power));
      terms_up(terms);
      return result;
    }
    uint32_t cut = zext_from(terms, a);
    if (cut && !is_below(terms, b, cut)) return term_bool(terms, true);
    return 0;
  }
  if (is_ones(terms, a)) return term_bool(terms, false);
  if (is_zero(terms, a)) return term_not(terms, term_eq(terms, b, a));
  Term next = term_add(terms, a, term_const(terms, bits, 1));
  if (is_ones(terms, next)) return term_eq(terms, b, next);
  uint32_t cut = zext_from(terms, b);
  if (cut && !is_below(terms, a, cut)) return term_bool(terms, false);
  if (wide_log2(node(terms, next)->words, bits) < bits) /* 2^k - 1 < b: not b < 2^k */
    return term_not(terms, term_ult(terms, b, next));
  return 0;
}

Term term_ult(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (a == b) return term_bool(terms, false);
  if (bits == 1) return term_and(terms, term_not(terms, a), b);
  Term result = term_fold_binary(terms, TERM_ULT, 1, a, b);
  if (result) return result;
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind == TERM_CONST || y.kind == TERM_CONST) {
    if ((result = ult_const(terms, a, b))) return result;
  }
  uint32_t cut_a = zext_from(terms, a), cut_b = zext_from(terms, b);
  uint32_t cut = cut_a > cut_b ? cut_a : cut_b;
  if (cut && is_below(terms, a, cut) && is_below(terms, b, cut) &&
      (result = ult_below(terms, a, b, cut)))
    return result;
  if (x.kind == TERM_NOT && y.kind == TERM_NOT) return term_ult(terms, y.a, x.a);
  return term_make(terms, TERM_ULT, 1, a, b, 0);
}

static Term sign_of(Terms *terms, Term a) {
  return term_extract(terms, a, bits_of(terms, a) - 1, 1);
}

/* The sign bit where a constant has it; -1: it is open. */
static int known_sign(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  while (n->kind == TERM_CONCAT) n = node(terms, n->a);
  return n->kind == TERM_CONST ? wide_bit(n->words, n->bits - 1) : -1;
}

Term term_slt(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (a == b) return term_bool(terms, false);
  if (bits == 1) return term_and(terms, a, term_not(terms, b));
  Term result = term_fold_binary(terms, TERM_SLT, 1, a, b);
  if (result) return result;
  if (is_zero(terms, b)) return sign_of(terms, a);
  if (is_ones(terms, a)) return term_not(terms, sign_of(terms, b));
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind == TERM_CONST || y.kind == TERM_CONST) {
    const uint64_t *words = x.kind == TERM_CONST ? x.words : y.words;
    bool minus = wide_bit(words, bits - 1);
    Term flipped = term_xor(terms, x.kind == TERM_CONST ? a : b, term_ones(terms, bits));
    bool least = minus && wide_log2(words, bits) == bits - 1;
    bool greatest = !minus && wide_log2(node(terms, flipped)->words, bits) == bits - 1;
    if (y.kind == TERM_CONST && least) return term_bool(terms, false);
    if (x.kind == TERM_CONST && greatest) return term_bool(terms, false);
    if (least || greatest) return term_not(terms, term_eq(terms, a, b));
  }
  if (x.kind == TERM_SEXT && y.kind == TERM_SEXT &&
      bits_of(terms, x.a) == bits_of(terms, y.a))
    return term_slt(terms, x.a, y.a);
  int sign_a = known_sign(terms, a), sign_b = known_sign(terms, b);
  if (sign_a >= 0 && sign_b >= 0)
    return sign_a == sign_b ? term_ult(terms, a, b) : term_bool(terms, sign_a);
  return term_make(terms, TERM_SLT, 1, a, b, 0);
}

Term term_ule(Terms *terms, Term a, Term b) {
  return term_not(terms, term_ult(terms, b, a));
}

Term term_sle(Terms *terms, Term a, Term b) {
  return term_not(terms, term_slt(terms, b, a));
}

Term term_implies(Terms *terms, Term a, Term b) {
  return term_or(terms, term_not(terms, a), b);
}
