/* Numbers as arrays of bits and operations on them as one would define them on paper: the judge of
 * terms, of their rules and of both solvers. It shares nothing with src/solve. And a generator that
 * makes a random term and, beside every constructor call, the value that it must have. */
#ifndef HEDDLE_TESTS_SOLVE_NAIVE_H
#define HEDDLE_TESTS_SOLVE_NAIVE_H

#include "solve/term.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NAIVE_BITS = 640, NAIVE_WORDS = NAIVE_BITS / 64 };

typedef struct {
  uint32_t bits;
  uint8_t bit[NAIVE_BITS];
} Naive;

static inline Naive naive_zero(uint32_t bits) {
  Naive r = {.bits = bits};
  return r;
}

static inline Naive naive_of(uint32_t bits, uint64_t value) {
  Naive r = naive_zero(bits);
  for (uint32_t i = 0; i < bits && i < 64; i++) r.bit[i] = value >> i & 1;
  return r;
}

static inline Naive naive_truth(bool value) {
  return naive_of(1, value);
}

static inline void naive_words(const Naive *a, uint64_t *words) {
  memset(words, 0, (a->bits + 63) / 64 * sizeof *words);
  for (uint32_t i = 0; i < a->bits; i++) words[i / 64] |= (uint64_t)a->bit[i] << (i % 64);
}

static inline bool naive_is_zero(Naive a) {
  for (uint32_t i = 0; i < a.bits; i++)
    if (a.bit[i]) return false;
  return true;
}

static inline Naive naive_not(Naive a) {
  for (uint32_t i = 0; i < a.bits; i++) a.bit[i] = !a.bit[i];
  return a;
}

static inline Naive naive_add(Naive a, Naive b) {
  int carry = 0;
  for (uint32_t i = 0; i < a.bits; i++) {
    int sum = a.bit[i] + b.bit[i] + carry;
    a.bit[i] = sum & 1;
    carry = sum >> 1;
  }
  return a;
}

static inline Naive naive_neg(Naive a) {
  return naive_add(naive_not(a), naive_of(a.bits, 1));
}

static inline Naive naive_sub(Naive a, Naive b) {
  return naive_add(a, naive_neg(b));
}

static inline bool naive_less(Naive a, Naive b) {
  for (uint32_t i = a.bits; i-- > 0;)
    if (a.bit[i] != b.bit[i]) return b.bit[i];
  return false;
}

static inline bool naive_same(Naive a, Naive b) {
  return a.bits == b.bits && memcmp(a.bit, b.bit, a.bits) == 0;
}

static inline bool naive_signed_less(Naive a, Naive b) {
  uint32_t top = a.bits - 1;
  if (a.bit[top] != b.bit[top]) return a.bit[top];
  return naive_less(a, b);
}

/* By one place, with what comes in at the free end. */
static inline Naive naive_left(Naive a) {
  for (uint32_t i = a.bits; i-- > 1;) a.bit[i] = a.bit[i - 1];
  a.bit[0] = 0;
  return a;
}

static inline Naive naive_right(Naive a, uint8_t in) {
  for (uint32_t i = 0; i + 1 < a.bits; i++) a.bit[i] = a.bit[i + 1];
  a.bit[a.bits - 1] = in;
  return a;
}

static inline Naive naive_mul(Naive a, Naive b) {
  Naive sum = naive_zero(a.bits);
  for (uint32_t i = 0; i < b.bits; i++, a = naive_left(a))
    if (b.bit[i]) sum = naive_add(sum, a);
  return sum;
}

/* One bit wider than the operands, so that nothing is lost on the way. */
static inline void naive_divide(Naive a, Naive b, Naive *quotient, Naive *remainder) {
  uint32_t bits = a.bits;
  if (naive_is_zero(b)) {
    *quotient = naive_not(naive_zero(bits));
    *remainder = a;
    return;
  }
  Naive rest = naive_zero(bits + 1);
  b.bits = bits + 1;
  b.bit[bits] = 0;
  *quotient = naive_zero(bits);
  for (uint32_t i = bits; i-- > 0;) {
    rest = naive_left(rest);
    rest.bit[0] = a.bit[i];
    if (naive_less(rest, b)) continue;
    rest = naive_sub(rest, b);
    quotient->bit[i] = 1;
  }
  rest.bits = bits;
  *remainder = rest;
}

static inline void naive_signed_divide(Naive a, Naive b, Naive *quotient,
                                       Naive *remainder) {
  bool a_minus = a.bit[a.bits - 1], b_minus = b.bit[b.bits - 1];
  naive_divide(a_minus ? naive_neg(a) : a, b_minus ? naive_neg(b) : b, quotient,
               remainder);
  if (a_minus != b_minus) *quotient = naive_neg(*quotient);
  if (a_minus) *remainder = naive_neg(*remainder);
}

/* One place at a time, as often as the number says, but not for longer than it matters. */
static inline Naive naive_shift(Naive a, Naive by, char way) {
  uint8_t sign = a.bit[a.bits - 1];
  for (uint32_t i = 0; i <= a.bits && !naive_is_zero(by); i++) {
    a = way == 'l' ? naive_left(a) : naive_right(a, way == 'a' ? sign : 0);
    by = naive_sub(by, naive_of(by.bits, 1));
  }
  return a;
}

static inline Naive naive_part(Naive a, uint32_t low, uint32_t bits) {
  Naive r = naive_zero(bits);
  memcpy(r.bit, a.bit + low, bits);
  return r;
}

static inline Naive naive_join(Naive high, Naive low) {
  memcpy(low.bit + low.bits, high.bit, high.bits);
  low.bits += high.bits;
  return low;
}

static inline Naive naive_extend(Naive a, uint32_t bits, uint8_t with) {
  while (a.bits < bits) a.bit[a.bits++] = with;
  return a;
}

static inline Naive naive_count(Naive a) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < a.bits; i++) count += a.bit[i];
  return naive_of(a.bits, count);
}

static inline Naive naive_zeros(Naive a, bool from_top) {
  uint32_t count = 0;
  while (count < a.bits && !a.bit[from_top ? a.bits - 1 - count : count]) count++;
  return naive_of(a.bits, count);
}

static inline Naive naive_reverse(Naive a, uint32_t size) {
  Naive r = a;
  for (uint32_t i = 0; i < a.bits; i++)
    r.bit[i] = a.bit[a.bits - size - i / size * size + i % size];
  return r;
}

/* ---- random terms with their values ---- */

static inline uint64_t naive_random(uint64_t *seed) {
  *seed += 0x9e3779b97f4a7c15u;
  uint64_t z = *seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

typedef struct {
  Term term;
  Naive value;
} Sample;

enum { SAMPLES = 48, SAMPLE_VARS = 6 };

/* A pool of samples: the first are variables, the others are made of earlier ones. */
typedef struct {
  Terms *terms;
  uint64_t seed;
  uint32_t count;
  Sample sample[SAMPLES];
  uint32_t widest;
} Sampler;

static inline uint32_t sampler_below(Sampler *s, uint32_t n) {
  return (uint32_t)(naive_random(&s->seed) % n);
}

/* 0, 1, all ones, the least and the greatest number are as likely as any other number: rules are
 * about them. */
static inline Naive sampler_number(Sampler *s, uint32_t bits) {
  Naive r = naive_zero(bits);
  uint32_t shape = sampler_below(s, 12);
  if (shape == 1) return naive_of(bits, 1);
  if (shape == 2) return naive_not(r);
  if (shape == 3) r.bit[bits - 1] = 1;
  if (shape == 4) r = naive_not(r), r.bit[bits - 1] = 0;
  if (shape == 5) return naive_of(bits, sampler_below(s, 9));
  if (shape == 6) r.bit[sampler_below(s, bits)] = 1;
  if (shape == 7)
    for (uint32_t i = sampler_below(s, bits); i < bits; i++) r.bit[i] = 1;
  if (shape == 8) {
    uint32_t low = sampler_below(s, bits), len = 1 + sampler_below(s, bits - low);
    for (uint32_t i = 0; i < len; i++) r.bit[low + i] = 1;
  }
  if (shape > 8)
    for (uint32_t i = 0; i < bits; i++) r.bit[i] = naive_random(&s->seed) >> 40 & 1;
  return r;
}

static inline Sample sampler_const(Sampler *s, uint32_t bits) {
  Sample r = {.value = sampler_number(s, bits)};
  uint64_t words[NAIVE_WORDS];
  naive_words(&r.value, words);
  r.term = term_wide(s->terms, bits, words);
  return r;
}

/* An earlier sample brought to this width in one of several ways, or a constant. */
static inline Sample sampler_operand(Sampler *s, uint32_t bits) {
  if (sampler_below(s, 6) == 0) return sampler_const(s, bits);
  Sample r = s->sample[sampler_below(s, s->count)];
  for (int i = 0; i < 3 && r.value.bits != bits; i++)
    r = s->sample[sampler_below(s, s->count)];
  if (r.value.bits > bits) {
    uint32_t low = sampler_below(s, 2) ? 0 : sampler_below(s, r.value.bits - bits + 1);
    r.term = term_extract(s->terms, r.term, low, bits);
    r.value = naive_part(r.value, low, bits);
  } else if (r.value.bits < bits) {
    if (sampler_below(s, 2)) {
      r.term = term_zext(s->terms, r.term, bits);
      r.value = naive_extend(r.value, bits, 0);
    } else {
      r.term = term_sext(s->terms, r.term, bits);
      r.value = naive_extend(r.value, bits, r.value.bit[r.value.bits - 1]);
    }
  }
  return r;
}

static inline Naive naive_bitwise(Naive a, Naive b, char op) {
  for (uint32_t i = 0; i < a.bits; i++)
    a.bit[i] = op == '&'   ? a.bit[i] & b.bit[i]
               : op == '|' ? a.bit[i] | b.bit[i]
                           : a.bit[i] ^ b.bit[i];
  return a;
}

enum { SAMPLER_OPERATIONS = 34 };

/* Operation number `op` of random operands; `bits` is the width of its operands. */
static inline Sample sampler_apply(Sampler *s, uint32_t op, uint32_t bits) {
  Terms *t = s->terms;
  if (op == 16 && bits % 8) op = 17; /* whole bytes only */
  Sample a = sampler_operand(s, bits), b = sampler_operand(s, bits);
  Sample c = sampler_operand(s, 1);
  Naive q, r;
  uint32_t low = sampler_below(s, bits), part = 1 + sampler_below(s, bits - low);
  uint32_t more = bits + sampler_below(s, 20);
  Naive x = a.value, y = b.value;
  switch (op) {
  case 0: return (Sample){term_not(t, a.term), naive_not(x)};
  case 1: return (Sample){term_and(t, a.term, b.term), naive_bitwise(x, y, '&')};
  case 2: return (Sample){term_or(t, a.term, b.term), naive_bitwise(x, y, '|')};
  case 3: return (Sample){term_xor(t, a.term, b.term), naive_bitwise(x, y, '^')};
  case 4: return (Sample){term_shl(t, a.term, b.term), naive_shift(x, y, 'l')};
  case 5: return (Sample){term_lshr(t, a.term, b.term), naive_shift(x, y, 'r')};
  case 6: return (Sample){term_ashr(t, a.term, b.term), naive_shift(x, y, 'a')};
  case 7:
  case 8: return (Sample){term_extract(t, a.term, low, part), naive_part(x, low, part)};
  case 9:
  case 10:
    if (bits > s->widest / 2) b = sampler_operand(s, 1 + sampler_below(s, 9));
    return (Sample){term_concat(t, a.term, b.term), naive_join(x, b.value)};
  case 11: return (Sample){term_zext(t, a.term, more), naive_extend(x, more, 0)};
  case 12:
    return (Sample){term_sext(t, a.term, more), naive_extend(x, more, x.bit[bits - 1])};
  case 13: return (Sample){term_popcount(t, a.term), naive_count(x)};
  case 14: return (Sample){term_clz(t, a.term), naive_zeros(x, true)};
  case 15: return (Sample){term_ctz(t, a.term), naive_zeros(x, false)};
  case 16: return (Sample){term_bswap(t, a.term), naive_reverse(x, 8)};
  case 17: return (Sample){term_bitrev(t, a.term), naive_reverse(x, 1)};
  case 18: return (Sample){term_neg(t, a.term), naive_neg(x)};
  case 19: return (Sample){term_add(t, a.term, b.term), naive_add(x, y)};
  case 20: return (Sample){term_sub(t, a.term, b.term), naive_sub(x, y)};
  case 21: return (Sample){term_mul(t, a.term, b.term), naive_mul(x, y)};
  case 22: naive_divide(x, y, &q, &r); return (Sample){term_udiv(t, a.term, b.term), q};
  case 23: naive_divide(x, y, &q, &r); return (Sample){term_urem(t, a.term, b.term), r};
  case 24:
    naive_signed_divide(x, y, &q, &r);
    return (Sample){term_sdiv(t, a.term, b.term), q};
  case 25:
    naive_signed_divide(x, y, &q, &r);
    return (Sample){term_srem(t, a.term, b.term), r};
  case 26: return (Sample){term_eq(t, a.term, b.term), naive_truth(naive_same(x, y))};
  case 27: return (Sample){term_ult(t, a.term, b.term), naive_truth(naive_less(x, y))};
  case 28: return (Sample){term_ule(t, a.term, b.term), naive_truth(!naive_less(y, x))};
  case 29:
    return (Sample){term_slt(t, a.term, b.term), naive_truth(naive_signed_less(x, y))};
  case 30:
    return (Sample){term_sle(t, a.term, b.term), naive_truth(!naive_signed_less(y, x))};
  case 31: {
    Sample d = sampler_operand(s, 1);
    return (Sample){term_implies(t, c.term, d.term),
                    naive_truth(!c.value.bit[0] || d.value.bit[0])};
  }
  default: return (Sample){term_ite(t, c.term, a.term, b.term), c.value.bit[0] ? x : y};
  }
}

/* Fills the pool: a few variables with random values, then operations. Narrow widths are frequent,
 * for there rules meet. */
static inline uint32_t sampler_width(Sampler *s, uint32_t widest) {
  uint32_t shape = sampler_below(s, 8);
  if (shape < 3) return 1 + sampler_below(s, widest < 9 ? widest : 9);
  if (shape == 3) return 1;
  return 1 + sampler_below(s, widest);
}

static inline void sampler_fill(Sampler *s, Terms *terms, uint64_t seed, uint32_t widest,
                                uint32_t operations) {
  s->terms = terms;
  s->seed = seed;
  s->widest = widest;
  s->count = 0;
  uint32_t shared = sampler_width(s, widest); /* a width that many samples have */
  for (uint32_t i = 0; i < SAMPLE_VARS; i++) {
    uint32_t bits = i < 3 ? shared : i == 3 ? 1 : sampler_width(s, widest);
    Sample *v = &s->sample[s->count++];
    v->term = term_var(terms, bits, NULL);
    v->value = sampler_number(s, bits);
  }
  for (uint32_t i = 0; i < operations && s->count < SAMPLES; i++) {
    uint32_t bits = sampler_below(s, 2) ? shared : sampler_width(s, widest);
    s->sample[s->count] = sampler_apply(s, sampler_below(s, SAMPLER_OPERATIONS), bits);
    s->count++;
  }
}

/* The values of the variables, for term_eval. */
static inline void sampler_value(void *user, Term var, uint64_t *words) {
  const Sampler *s = user;
  for (uint32_t i = 0; i < SAMPLE_VARS; i++)
    if (s->sample[i].term == var) naive_words(&s->sample[i].value, words);
}

#endif
