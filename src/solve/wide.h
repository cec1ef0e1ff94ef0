/* Numbers of any width: little-endian arrays of 64-bit words, (bits + 63) / 64 of them, with zeros
 * above the highest bit. Constants of terms are folded with them and values computed. Results may
 * be written over operands unless a function says otherwise. Meanings are those of term.h. */
#ifndef HEDDLE_SOLVE_WIDE_H
#define HEDDLE_SOLVE_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t wide_len(uint32_t bits) {
  return (bits + 63) / 64;
}

/* The bits of the highest word that belong to the number. */
static inline uint64_t wide_top_mask(uint32_t bits) {
  return ~(uint64_t)0 >> ((64 - (bits & 63)) & 63);
}

static inline void wide_cut(uint64_t *a, uint32_t bits) {
  a[wide_len(bits) - 1] &= wide_top_mask(bits);
}

static inline bool wide_bit(const uint64_t *a, uint32_t i) {
  return a[i / 64] >> (i & 63) & 1;
}

static inline bool wide_eq(const uint64_t *a, const uint64_t *b, uint32_t bits) {
  return memcmp(a, b, wide_len(bits) * sizeof *a) == 0;
}

bool wide_is_zero(const uint64_t *a, uint32_t bits);
bool wide_is_ones(const uint64_t *a, uint32_t bits);
/* The exponent if a is a power of two, otherwise `bits`. */
uint32_t wide_log2(const uint64_t *a, uint32_t bits);
bool wide_ult(const uint64_t *a, const uint64_t *b, uint32_t bits);
bool wide_slt(const uint64_t *a, const uint64_t *b, uint32_t bits);

void wide_not(uint64_t *ret, const uint64_t *a, uint32_t bits);
void wide_neg(uint64_t *ret, const uint64_t *a, uint32_t bits);
void wide_add(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits);
void wide_sub(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits);
void wide_mul(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits);
/* Quotient and remainder; either may be NULL. */
void wide_udivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                  const uint64_t *b, uint32_t bits);
void wide_sdivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                  const uint64_t *b, uint32_t bits);

/* Shifts by a number; `by` may be any. */
void wide_shl(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits);
void wide_lshr(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits);
void wide_ashr(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits);
/* How far a shift by this number goes, at most `bits`. */
uint32_t wide_distance(const uint64_t *by, uint32_t bits);

/* `bits` bits of `a` (which has `a_bits`) from `low` on. Not over the operand. */
void wide_extract(uint64_t *ret, const uint64_t *a, uint32_t a_bits, uint32_t low,
                  uint32_t bits);
/* Not over an operand. */
void wide_concat(uint64_t *ret, const uint64_t *high, uint32_t high_bits,
                 const uint64_t *low, uint32_t low_bits);
/* Not over the operand. */
void wide_sext(uint64_t *ret, const uint64_t *a, uint32_t a_bits, uint32_t bits);

#endif
