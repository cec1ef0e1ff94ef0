/* Rules of extract, concat, extensions and shifts: what only moves bits is written as extract,
 * concat and sext, so that it meets and vanishes, and costs no gate. A zero extension is a concat
 * with zeros, a shift by a constant is wires. */
#include "solve/term_internal.h"

/* Bits from both sides of the cut. */
static Term extract_concat(Terms *terms, TermNode n, uint32_t low, uint32_t bits) {
  uint32_t cut = bits_of(terms, n.b);
  Term above = term_extract(terms, n.a, 0, low + bits - cut);
  return term_concat(terms, above, term_extract(terms, n.b, low, cut - low));
}

static Term extract_sext(Terms *terms, TermNode n, uint32_t low, uint32_t bits) {
  uint32_t own = bits_of(terms, n.a);
  if (low + bits <= own) return term_extract(terms, n.a, low, bits);
  if (low >= own) low = own - 1;
  return term_sext(terms, term_extract(terms, n.a, low, own - low), bits);
}

/* The low bits of sums and products come from low bits alone, any bits of and, or, xor from the
 * same bits. Worth it when an operand vanishes or gets smaller by it. */
static bool is_cut_easily(const Terms *terms, Term t) {
  TermKind kind = kind_of(terms, t);
  return kind == TERM_CONST || kind == TERM_CONCAT || kind == TERM_SEXT;
}

static Term extract_binary(Terms *terms, TermNode n, uint32_t low, uint32_t bits) {
  Term a = term_extract(terms, n.a, low, bits);
  Term b = term_extract(terms, n.b, low, bits);
  if (n.kind == TERM_AND) return term_and(terms, a, b);
  if (n.kind == TERM_OR) return term_or(terms, a, b);
  if (n.kind == TERM_XOR) return term_xor(terms, a, b);
  if (n.kind == TERM_ADD) return term_add(terms, a, b);
  assert(n.kind == TERM_MUL);
  return term_mul(terms, a, b);
}

/* Rules that look into the operand; 0: none applies. */
static Term extract_inside(Terms *terms, TermNode n, uint32_t low, uint32_t bits) {
  bool easy = false;
  switch ((TermKind)n.kind) {
  case TERM_CONCAT: return extract_concat(terms, n, low, bits);
  case TERM_SEXT: return extract_sext(terms, n, low, bits);
  case TERM_NOT: return term_not(terms, term_extract(terms, n.a, low, bits));
  case TERM_ITE: {
    if (!is_cut_easily(terms, n.b) && !is_cut_easily(terms, n.c)) return 0;
    Term then = term_extract(terms, n.b, low, bits);
    return term_ite(terms, n.a, then, term_extract(terms, n.c, low, bits));
  }
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: easy = is_cut_easily(terms, n.a) || is_cut_easily(terms, n.b); break;
  case TERM_ADD:
  case TERM_MUL:
    easy = low == 0 && (is_cut_easily(terms, n.a) || is_cut_easily(terms, n.b));
    break;
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_EXTRACT:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_EQ:
  case TERM_ULT:
  case TERM_SLT:
  case TERM_KIND_COUNT: break;
  }
  return easy ? extract_binary(terms, n, low, bits) : 0;
}

/* The part of a chain of concats that has all of these bits. */
static Term inside_concat(const Terms *terms, Term a, uint32_t *low, uint32_t bits) {
  for (;;) {
    const TermNode *n = node(terms, a);
    if (n->kind != TERM_CONCAT) return a;
    uint32_t cut = bits_of(terms, n->b);
    if (*low >= cut) {
      a = n->a;
      *low -= cut;
    } else if (*low + bits <= cut) {
      a = n->b;
    } else {
      return a;
    }
  }
}

Term term_extract(Terms *terms, Term a, uint32_t low, uint32_t bits) {
  TermNode n = *node(terms, a);
  assert(bits > 0 && low <= n.bits && bits <= n.bits - low);
  if (bits == n.bits) return a;
  if (n.kind == TERM_CONST) {
    uint64_t small[8], *words = small;
    if (wide_len(bits) > 8)
      words = arena_alloc(terms->arena, wide_len(bits) * sizeof *words);
    wide_extract(words, n.words, n.bits, low, bits);
    return term_wide(terms, bits, words);
  }
  if (n.kind == TERM_EXTRACT) return term_extract(terms, n.a, n.b + low, bits);
  if (n.kind ==
      TERM_CONCAT) { /* aggregates are long chains: this way down is no recursion */
    Term part = inside_concat(terms, a, &low, bits);
    if (part != a) return term_extract(terms, part, low, bits);
  }
  if (terms_down(terms)) {
    Term result = extract_inside(terms, n, low, bits);
    terms_up(terms);
    if (result) return result;
  }
  return term_make(terms, TERM_EXTRACT, bits, a, low, 0);
}

/* One term for two neighbours, or 0: constants, adjacent bits of one term, choices by one
 * condition. */
static Term join(Terms *terms, Term high, Term low) {
  TermNode h = *node(terms, high), l = *node(terms, low);
  uint32_t bits = h.bits + l.bits;
  if (h.kind == TERM_CONST && l.kind == TERM_CONST)
    return term_fold(terms, TERM_CONCAT, bits, high, low);
  if (h.kind == TERM_EXTRACT && l.kind == TERM_EXTRACT && h.a == l.a &&
      h.b == l.b + l.bits)
    return term_extract(terms, h.a, l.b, bits);
  if ((h.kind == TERM_CONST && is_choice(terms, low)) ||
      (l.kind == TERM_CONST && is_choice(terms, high)))
    return term_fold_binary(terms, TERM_CONCAT, bits, high, low);
  if (h.kind == TERM_ITE && l.kind == TERM_ITE && h.a == l.a && terms_down(terms)) {
    Term then = term_concat(terms, h.b, l.b);
    Term result = term_ite(terms, h.a, then, term_concat(terms, h.c, l.c));
    terms_up(terms);
    return result;
  }
  return 0;
}

Term term_concat(Terms *terms, Term high, Term low) {
  TermNode h = *node(terms, high), l = *node(terms, low);
  Term result = join(terms, high, low);
  if (result) return result;
  if (l.kind == TERM_CONCAT && (result = join(terms, high, l.a)) && terms_down(terms)) {
    result = term_concat(terms, result, l.b);
    terms_up(terms);
    return result;
  }
  if (h.kind == TERM_CONCAT && (result = join(terms, h.b, low)) && terms_down(terms)) {
    result = term_concat(terms, h.a, result);
    terms_up(terms);
    return result;
  }
  /* Constants at the top stand alone, so that zero extensions are seen. */
  if (h.kind == TERM_CONCAT && is_const(terms, h.a) && terms_down(terms)) {
    result = term_concat(terms, h.a, term_concat(terms, h.b, low));
    terms_up(terms);
    return result;
  }
  return term_make(terms, TERM_CONCAT, h.bits + l.bits, high, low, 0);
}

Term term_zext(Terms *terms, Term a, uint32_t bits) {
  uint32_t own = bits_of(terms, a);
  assert(bits >= own);
  return bits == own ? a : term_concat(terms, term_zeros(terms, bits - own), a);
}

Term term_sext(Terms *terms, Term a, uint32_t bits) {
  TermNode n = *node(terms, a);
  assert(bits >= n.bits);
  if (bits == n.bits) return a;
  if (n.kind == TERM_CONST) return term_fold(terms, TERM_SEXT, bits, a, 0);
  if (n.kind == TERM_SEXT) return term_sext(terms, n.a, bits);
  if (n.kind == TERM_CONCAT && is_const(terms, n.a) && terms_down(terms)) {
    /* the sign is known or within the constant */
    Term high = term_sext(terms, n.a, bits - bits_of(terms, n.b));
    Term result = term_concat(terms, high, n.b);
    terms_up(terms);
    return result;
  }
  if (is_choice(terms, a)) {
    Term then = term_fold(terms, TERM_SEXT, bits, n.b, 0);
    return term_ite(terms, n.a, then, term_fold(terms, TERM_SEXT, bits, n.c, 0));
  }
  return term_make(terms, TERM_SEXT, bits, a, 0, 0);
}

static Term shift_by_const(Terms *terms, TermKind kind, Term a, uint32_t by) {
  uint32_t bits = bits_of(terms, a);
  if (by == 0) return a;
  if (kind == TERM_ASHR) {
    if (by >= bits) by = bits - 1;
    return term_sext(terms, term_extract(terms, a, by, bits - by), bits);
  }
  if (by >= bits) return term_zeros(terms, bits);
  Term zeros = term_zeros(terms, by);
  Term rest = term_extract(terms, a, kind == TERM_SHL ? 0 : by, bits - by);
  return kind == TERM_SHL ? term_concat(terms, rest, zeros)
                          : term_concat(terms, zeros, rest);
}

static Term shift(Terms *terms, TermKind kind, Term a, Term by) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, by));
  if (is_const(terms, by))
    return shift_by_const(terms, kind, a, wide_distance(node(terms, by)->words, bits));
  if (is_zero(terms, a) || (kind == TERM_ASHR && is_ones(terms, a))) return a;
  if (bits == 1) /* by 1 is by the width */
    return kind == TERM_ASHR ? a : term_and(terms, a, term_not(terms, by));
  Term result = term_fold_binary(terms, kind, bits, a, by);
  if (result) return result;
  if (is_choice(terms, by)) { /* two shifts by constants are wires */
    TermNode n = *node(terms, by);
    Term then = shift(terms, kind, a, n.b);
    return term_ite(terms, n.a, then, shift(terms, kind, a, n.c));
  }
  return term_make(terms, kind, bits, a, by, 0);
}

Term term_shl(Terms *terms, Term a, Term by) {
  return shift(terms, TERM_SHL, a, by);
}

Term term_lshr(Terms *terms, Term a, Term by) {
  return shift(terms, TERM_LSHR, a, by);
}

Term term_ashr(Terms *terms, Term a, Term by) {
  return shift(terms, TERM_ASHR, a, by);
}
