/* Divisions, and operations that are written with others: counts of bits, orders of bytes and bits. */
#include "solve/term_internal.h"

#include "base/vec.h"

Term term_udiv(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) return term_or(terms, a, term_not(terms, b));
  Term result = term_fold_binary(terms, TERM_UDIV, bits, a, b);
  if (result) return result;
  if (is_const(terms, b)) {
    if (is_zero(terms, b)) return term_ones(terms, bits);
    uint32_t shift = wide_log2(node(terms, b)->words, bits);
    if (shift < bits) return term_lshr(terms, a, term_const(terms, bits, shift));
  }
  if (a == b || is_zero(terms, a)) { /* 1 or 0, but not by 0 */
    Term zero = term_eq(terms, b, term_zeros(terms, bits));
    Term ones = term_ones(terms, bits);
    return term_ite(terms, zero, ones, a == b ? term_const(terms, bits, 1) : a);
  }
  return term_make(terms, TERM_UDIV, bits, a, b, 0);
}

Term term_urem(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) return term_and(terms, a, term_not(terms, b));
  Term result = term_fold_binary(terms, TERM_UREM, bits, a, b);
  if (result) return result;
  if (is_const(terms, b)) {
    if (is_zero(terms, b)) return a;
    uint32_t shift = wide_log2(node(terms, b)->words, bits);
    if (shift == 0) return term_zeros(terms, bits);
    if (shift < bits) return term_zext(terms, term_extract(terms, a, 0, shift), bits);
  }
  if (a == b || is_zero(terms, a)) return term_zeros(terms, bits);
  return term_make(terms, TERM_UREM, bits, a, b, 0);
}

/* a / 2^shift towards 0, for 0 < shift < bits - 1: negative numbers are made larger by 2^shift - 1
 * before the shift. */
static Term sdiv_power(Terms *terms, Term a, uint32_t shift) {
  uint32_t bits = bits_of(terms, a);
  Term sign = term_extract(terms, a, bits - 1, 1);
  Term more = term_zext(terms, term_sext(terms, sign, shift), bits);
  Term sum = term_add(terms, a, more);
  return term_ashr(terms, sum, term_const(terms, bits, shift));
}

Term term_sdiv(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) /* of 0 and -1: 0/0 = -1, 0/-1 = 0, -1/0 = 1 = -1, -1/-1 = 1 = -1 */
    return term_or(terms, a, term_not(terms, b));
  Term result = term_fold_binary(terms, TERM_SDIV, bits, a, b);
  if (result) return result;
  if (is_const(terms, b)) {
    if (is_ones(terms, b)) return term_neg(terms, a);
    uint32_t shift = wide_log2(node(terms, b)->words, bits);
    if (shift == 0) return a;
    if (shift < bits - 1) return sdiv_power(terms, a, shift);
  }
  return term_make(terms, TERM_SDIV, bits, a, b, 0);
}

Term term_srem(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  assert(bits == bits_of(terms, b));
  if (bits == 1) return term_and(terms, a, term_not(terms, b));
  Term result = term_fold_binary(terms, TERM_SREM, bits, a, b);
  if (result) return result;
  if (a == b || is_zero(terms, a)) return term_zeros(terms, bits);
  if (is_const(terms, b)) {
    if (is_zero(terms, b)) return a;
    uint32_t shift = wide_log2(node(terms, b)->words, bits);
    if (shift == 0 || is_ones(terms, b)) return term_zeros(terms, bits);
    if (shift < bits - 1) {
      Term whole = sdiv_power(terms, a, shift);
      whole = term_shl(terms, whole, term_const(terms, bits, shift));
      return term_sub(terms, a, whole);
    }
  }
  return term_make(terms, TERM_SREM, bits, a, b, 0);
}

static Term bit(Terms *terms, Term a, uint32_t i) {
  return term_extract(terms, a, i, 1);
}

/* Bits are added as a tree, each level with numbers one bit wider than the level below. */
Term term_popcount(Terms *terms, Term a) {
  uint32_t bits = bits_of(terms, a), count = bits, width = 1;
  Term *sums = mem_alloc(bits * sizeof *sums);
  for (uint32_t i = 0; i < bits; i++) sums[i] = bit(terms, a, i);
  while (count > 1) {
    width++;
    for (uint32_t i = 0; i < count / 2; i++) {
      Term x = term_zext(terms, sums[2 * i], width);
      sums[i] = term_add(terms, x, term_zext(terms, sums[2 * i + 1], width));
    }
    if (count & 1) sums[count / 2] = term_zext(terms, sums[count - 1], width);
    count = count / 2 + (count & 1);
  }
  Term sum = sums[0];
  mem_free(sums);
  return width > bits ? term_extract(terms, sum, 0, bits) : term_zext(terms, sum, bits);
}

/* From the bit that is asked last to the one asked first. The width itself may not fit into the
 * width's bits only where it is 1, and there 1 fits. */
static Term count_zeros(Terms *terms, Term a, bool from_top) {
  uint32_t bits = bits_of(terms, a);
  Term result = term_const(terms, bits, bits);
  for (uint32_t i = 0; i < bits; i++) {
    Term set = bit(terms, a, from_top ? i : bits - 1 - i);
    result = term_ite(terms, set, term_const(terms, bits, bits - 1 - i), result);
  }
  return result;
}

Term term_clz(Terms *terms, Term a) {
  return count_zeros(terms, a, true);
}

Term term_ctz(Terms *terms, Term a) {
  return count_zeros(terms, a, false);
}

/* Pieces of `size` bits in the opposite order. */
static Term reverse(Terms *terms, Term a, uint32_t size) {
  uint32_t bits = bits_of(terms, a);
  Term result = term_extract(terms, a, bits - size, size);
  for (uint32_t low = bits - size; low > 0; low -= size)
    result = term_concat(terms, term_extract(terms, a, low - size, size), result);
  return result;
}

Term term_bswap(Terms *terms, Term a) {
  assert(bits_of(terms, a) % 8 == 0);
  return reverse(terms, a, 8);
}

Term term_bitrev(Terms *terms, Term a) {
  return reverse(terms, a, 1);
}

Term term_fit(Terms *terms, Term a, uint32_t bits) {
  uint32_t have = term_bits(terms, a);
  return have == bits  ? a
         : have > bits ? term_extract(terms, a, 0, bits)
                       : term_zext(terms, a, bits);
}
