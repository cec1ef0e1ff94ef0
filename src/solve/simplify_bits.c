/* Rules of not, and, or, xor. And and or are one function that is told which; it looks at most one
 * level into its operands. Complements are pushed outwards when both operands have one, so that
 * equal formulas written by de Morgan's two ways are equal terms. One-bit xor is a negated eq. */
#include "solve/term_internal.h"

Term term_not(Terms *terms, Term a) {
  TermNode n = *node(terms, a);
  if (n.kind == TERM_CONST) return term_fold(terms, TERM_NOT, n.bits, a, 0);
  if (n.kind == TERM_NOT) return n.a;
  if (n.kind == TERM_ADD && is_const(terms, n.b)) {
    /* -(y + c) - 1 = (-y - 1) - c */
    Term minus = term_neg(terms, n.b);
    return term_add(terms, term_not(terms, n.a), minus);
  }
  if (n.kind == TERM_XOR && is_const(terms, n.b))
    return term_xor(terms, n.a, term_fold(terms, TERM_NOT, n.bits, n.b, 0));
  if (is_choice(terms, a)) {
    Term then = term_fold(terms, TERM_NOT, n.bits, n.b, 0);
    return term_ite(terms, n.a, then, term_fold(terms, TERM_NOT, n.bits, n.c, 0));
  }
  return term_make(terms, TERM_NOT, n.bits, a, 0, 0);
}

/* Both are eq with different constants of the same term: they exclude each other. */
static bool exclude(const Terms *terms, Term a, Term b) {
  const TermNode *x = node(terms, a), *y = node(terms, b);
  return x->kind == TERM_EQ && y->kind == TERM_EQ && x->a == y->a && x->b != y->b &&
         is_const(terms, x->b) && is_const(terms, y->b);
}

static Term absorbing(Terms *terms, TermKind op, uint32_t bits) {
  return op == TERM_AND ? term_zeros(terms, bits) : term_ones(terms, bits);
}

/* p op q where q is an operation itself; 0: no rule. */
static Term absorb(Terms *terms, TermKind op, Term p, Term q) {
  TermNode n = *node(terms, q);
  bool negated = n.kind == TERM_NOT;
  if (negated) n = *node(terms, n.a);
  if (n.kind != TERM_AND && n.kind != TERM_OR) return 0;
  bool has = n.a == p || n.b == p;
  bool has_not = are_complements(terms, n.a, p) || are_complements(terms, n.b, p);
  if (!has && !has_not) return 0;
  Term other = n.a == p || are_complements(terms, n.a, p) ? n.b : n.a;
  bool same = (n.kind == op) != negated; /* q is a chain of op, perhaps of complements */
  if (!negated) {
    if (same) return has ? q : absorbing(terms, op, n.bits);
    if (has) return p;
    if (!terms_down(terms)) return 0;
    Term result = op == TERM_AND ? term_and(terms, p, other) : term_or(terms, p, other);
    terms_up(terms);
    return result;
  }
  if (same)
    return has ? absorbing(terms, op, n.bits) : q; /* not (x dual y) = not x op not y */
  if (has_not) return p;
  if (!terms_down(terms)) return 0;
  Term rest = term_not(terms, other);
  Term result = op == TERM_AND ? term_and(terms, p, rest) : term_or(terms, p, rest);
  terms_up(terms);
  return result;
}

/* With a constant that leaves one run of bits as they are: only wires. */
static Term with_mask(Terms *terms, TermKind op, Term a, Term mask) {
  uint32_t bits = bits_of(terms, a), low = 0;
  const uint64_t *words = node(terms, mask)->words;
  bool keep = op == TERM_AND;
  while (low < bits && wide_bit(words, low) != keep) low++;
  uint32_t end = low;
  while (end < bits && wide_bit(words, end) == keep) end++;
  for (uint32_t i = end; i < bits; i++)
    if (wide_bit(words, i) == keep) return 0;
  if (!terms_down(terms)) return 0;
  Term result = term_extract(terms, a, low, end - low);
  if (low) result = term_concat(terms, result, term_extract(terms, mask, 0, low));
  if (end < bits)
    result = term_concat(terms, term_extract(terms, mask, end, bits - end), result);
  terms_up(terms);
  return result;
}

static Term bitwise(Terms *terms, TermKind op, Term a, Term b) {
  return op == TERM_AND  ? term_and(terms, a, b)
         : op == TERM_OR ? term_or(terms, a, b)
                         : term_xor(terms, a, b);
}

/* Concats that are cut at the same place, where constants decide one half or a bit of both. A
 * constant is cut at any place. */
static Term by_parts(Terms *terms, TermKind op, Term a, Term b) {
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind != TERM_CONCAT || (y.kind != TERM_CONST && y.kind != TERM_CONCAT)) return 0;
  uint32_t cut = bits_of(terms, x.b), rest = bits_of(terms, x.a);
  int high = is_const(terms, x.a), low = is_const(terms, x.b);
  if (y.kind == TERM_CONCAT) {
    if (bits_of(terms, y.b) != cut) return 0;
    high += is_const(terms, y.a);
    low += is_const(terms, y.b);
    if (!(high && low) && high != 2 && low != 2) return 0;
  } else if (!high && !low) {
    return 0;
  }
  if (!terms_down(terms)) return 0;
  Term ya = y.kind == TERM_CONST ? term_extract(terms, b, cut, rest) : y.a;
  Term yb = y.kind == TERM_CONST ? term_extract(terms, b, 0, cut) : y.b;
  Term above = bitwise(terms, op, x.a, ya);
  Term result = term_concat(terms, above, bitwise(terms, op, x.b, yb));
  terms_up(terms);
  return result;
}

/* b is a constant, neither neutral nor absorbing. */
static Term with_const(Terms *terms, TermKind op, Term a, Term b) {
  TermNode n = *node(terms, a);
  if (n.kind == (uint32_t)op && is_const(terms, n.b))
    return bitwise(terms, op, n.a, term_fold(terms, op, n.bits, n.b, b));
  Term result = term_fold_binary(terms, op, n.bits, a, b);
  if (!result && op != TERM_XOR) result = with_mask(terms, op, a, b);
  return result ? result : by_parts(terms, op, a, b);
}

static Term lattice(Terms *terms, TermKind op, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (a == b) return a;
  put_in_order(terms, &a, &b);
  Term result = 0;
  if (is_const(terms, b)) {
    bool zero = is_zero(terms, b);
    if (zero || is_ones(terms, b)) return zero == (op == TERM_OR) ? a : b;
    if (is_const(terms, a)) return term_fold(terms, op, bits, a, b);
    result = with_const(terms, op, a, b);
    return result ? result : term_make(terms, op, bits, a, b, 0);
  }
  if (are_complements(terms, a, b)) return absorbing(terms, op, bits);
  TermNode x = *node(terms, a), y = *node(terms, b);
  if (x.kind == TERM_NOT && y.kind == TERM_NOT) {
    /* not p and not q, with or instead */
    if (!terms_down(terms)) return term_make(terms, op, bits, a, b, 0);
    Term inner = lattice(terms, op == TERM_AND ? TERM_OR : TERM_AND, x.a, y.a);
    terms_up(terms);
    return term_not(terms, inner);
  }
  if ((result = absorb(terms, op, a, b)) || (result = absorb(terms, op, b, a)))
    return result;
  if (bits == 1) {
    if (op == TERM_AND && exclude(terms, a, b)) return term_bool(terms, false);
    if (x.kind == TERM_NOT && exclude(terms, x.a, b)) return op == TERM_AND ? b : a;
    if (y.kind == TERM_NOT && exclude(terms, a, y.a)) return op == TERM_AND ? a : b;
  } else if ((result = by_parts(terms, op, a, b))) {
    return result;
  }
  return term_make(terms, op, bits, a, b, 0);
}

Term term_and(Terms *terms, Term a, Term b) {
  return lattice(terms, TERM_AND, a, b);
}

Term term_or(Terms *terms, Term a, Term b) {
  return lattice(terms, TERM_OR, a, b);
}

Term term_xor(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (a == b) return term_zeros(terms, bits);
  if (bits == 1) return term_not(terms, term_eq(terms, a, b));
  put_in_order(terms, &a, &b);
  if (is_const(terms, b)) {
    if (is_zero(terms, b)) return a;
    if (is_ones(terms, b)) return term_not(terms, a);
  }
  if (is_const(terms, b) && kind_of(terms, a) == TERM_NOT)
    return term_xor(terms, node(terms, a)->a, term_fold(terms, TERM_NOT, bits, b, 0));
  bool turn = false; /* complements go outwards */
  if (kind_of(terms, a) == TERM_NOT) turn = !turn, a = node(terms, a)->a;
  if (kind_of(terms, b) == TERM_NOT) turn = !turn, b = node(terms, b)->a;
  if (turn) {
    Term inner = term_xor(terms, a, b);
    return term_not(terms, inner);
  }
  if (a == b) return term_zeros(terms, bits);
  put_in_order(terms, &a, &b);
  TermNode x = *node(terms, a), y = *node(terms, b);
  Term result = is_const(terms, b) ? with_const(terms, TERM_XOR, a, b)
                                   : by_parts(terms, TERM_XOR, a, b);
  if (result) return result;
  if (x.kind == TERM_XOR && (x.a == b || x.b == b)) return x.a == b ? x.b : x.a;
  if (y.kind == TERM_XOR && (y.a == a || y.b == a)) return y.a == a ? y.b : y.a;
  return term_make(terms, TERM_XOR, bits, a, b, 0);
}
