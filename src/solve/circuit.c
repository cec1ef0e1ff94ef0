/* See circuit.h. Adders are ripple-carry with a majority gate for the carry: six clauses that
 * propagate all there is. Constant bits vanish in the gates' own rules, so there is one form of each
 * circuit; only products choose the operand whose bits are added, and write constants with digits
 * -1, 0, 1 to have fewer of them. */
#include "solve/circuit.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void circuit_add(Gates *gates, Lit *ret, const Lit *a, const Lit *b, Lit carry,
                 uint32_t bits) {
  for (uint32_t i = 0; i < bits; i++) {
    ret[i] = gate_xor(gates, gate_xor(gates, a[i], b[i]), carry);
    if (i + 1 < bits) carry = gate_majority(gates, a[i], b[i], carry);
  }
}

static uint32_t count_constant(const Lit *a, uint32_t bits) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < bits; i++) count += a[i] <= LIT_TRUE;
  return count;
}

/* sum += (a << shift), or -= where `minus`, both with every bit of a and-ed with `bit`. */
static void accumulate(Gates *gates, Lit *sum, const Lit *a, uint32_t shift, Lit bit,
                       bool minus, Lit *row, uint32_t bits) {
  assert(shift < bits);
  uint32_t len = bits - shift;
  for (uint32_t i = 0; i < len; i++)
    row[i] = gate_and(gates, a[i], bit) ^ (minus ? 1 : 0);
  Lit *out = row + bits;
  circuit_add(gates, out, sum + shift, row, minus ? LIT_TRUE : LIT_FALSE, len);
  memcpy(sum + shift, out, len * sizeof *out);
}

/* Digits -1, 0, 1 of a constant without two neighbours that are not 0: of 111 the sum of
 * -1 and 1000. Carries out of the highest bit are lost, as they should be. */
static void mul_const(Gates *gates, Lit *sum, const Lit *a, const Lit *constant, Lit *row,
                      uint32_t bits) {
  int carry = 0;
  for (uint32_t i = 0; i < bits; i++) {
    int digit = (int)constant[i] + carry;
    int next = i + 1 < bits ? (int)constant[i + 1] : 0;
    carry = digit >> 1;
    digit &= 1;
    if (!digit) continue;
    if (next) carry = 1; /* this digit is -1 */
    accumulate(gates, sum, a, i, LIT_TRUE, next, row, bits);
  }
}

void circuit_mul(Gates *gates, Lit *ret, const Lit *a, const Lit *b, uint32_t bits) {
  if (count_constant(a, bits) > count_constant(b, bits)) {
    const Lit *t = a;
    a = b;
    b = t;
  }
  Lit *row = mem_alloc(2 * bits * sizeof *row);
  memset(ret, 0, bits * sizeof *ret);
  if (count_constant(b, bits) == bits) {
    mul_const(gates, ret, a, b, row, bits);
  } else {
    for (uint32_t i = 0; i < bits; i++)
      if (b[i] != LIT_FALSE) accumulate(gates, ret, a, i, b[i], false, row, bits);
  }
  mem_free(row);
}

/* Division as on paper. The remainder is smaller than the divisor after every step, unless the
 * divisor is 0: then every digit is 1 and the remainder the dividend, as it should be. Doubled, it
 * may have one bit more. */
void circuit_udivrem(Gates *gates, Lit *quotient, Lit *remainder, const Lit *a,
                     const Lit *b, uint32_t bits) {
  Lit *r = mem_alloc(3 * (bits + 1) * sizeof *r);
  Lit *minus_b = r + bits + 1, *less = minus_b + bits + 1;
  for (uint32_t i = 0; i < bits; i++) minus_b[i] = lit_not(b[i]);
  minus_b[bits] = LIT_TRUE;
  memset(r, 0, (bits + 1) * sizeof *r);
  for (uint32_t i = bits; i-- > 0;) {
    memmove(r + 1, r, bits * sizeof *r);
    r[0] = a[i];
    circuit_add(gates, less, r, minus_b, LIT_TRUE, bits + 1);
    Lit fits = lit_not(less[bits]);
    /* If it does not fit, the highest bit of r is 0, as after a subtraction. */
    for (uint32_t k = 0; k < bits; k++) r[k] = gate_ite(gates, fits, less[k], r[k]);
    r[bits] = LIT_FALSE;
    if (quotient) quotient[i] = fits;
  }
  if (remainder) memcpy(remainder, r, bits * sizeof *r);
  mem_free(r);
}

/* a, or -a where the condition holds */
static void negate_if(Gates *gates, Lit *ret, const Lit *a, Lit condition,
                      uint32_t bits) {
  Lit carry = condition;
  for (uint32_t i = 0; i < bits; i++) {
    Lit turned = gate_xor(gates, a[i], condition);
    ret[i] = gate_xor(gates, turned, carry);
    carry = gate_and(gates, turned, carry);
  }
}

void circuit_sdivrem(Gates *gates, Lit *quotient, Lit *remainder, const Lit *a,
                     const Lit *b, uint32_t bits) {
  Lit *x = mem_alloc(4 * bits * sizeof *x), *y = x + bits, *q = y + bits, *r = q + bits;
  Lit a_minus = a[bits - 1], b_minus = b[bits - 1];
  negate_if(gates, x, a, a_minus, bits);
  negate_if(gates, y, b, b_minus, bits);
  circuit_udivrem(gates, q, r, x, y, bits);
  if (quotient) negate_if(gates, quotient, q, gate_xor(gates, a_minus, b_minus), bits);
  if (remainder) negate_if(gates, remainder, r, a_minus, bits);
  mem_free(x);
}

/* By 1, 2, 4, ... as the bits of the distance say; a bit that stands for the width or more moves
 * everything out. */
static void shift(Gates *gates, Lit *ret, const Lit *a, const Lit *by, Lit fill,
                  bool left, uint32_t bits) {
  Lit *moved = mem_alloc(bits * sizeof *moved);
  memcpy(ret, a, bits * sizeof *ret);
  for (uint32_t stage = 0; stage < bits; stage++) {
    if (by[stage] == LIT_FALSE) continue;
    uint32_t distance = stage < 31 && (1u << stage) < bits ? 1u << stage : bits;
    for (uint32_t i = 0; i < bits; i++)
      moved[i] = left ? (i >= distance ? ret[i - distance] : fill)
                      : (i + distance < bits ? ret[i + distance] : fill);
    circuit_ite(gates, ret, by[stage], moved, ret, bits);
  }
  mem_free(moved);
}

void circuit_shift_left(Gates *gates, Lit *ret, const Lit *a, const Lit *by,
                        uint32_t bits) {
  shift(gates, ret, a, by, LIT_FALSE, true, bits);
}

void circuit_shift_right(Gates *gates, Lit *ret, const Lit *a, const Lit *by, Lit fill,
                         uint32_t bits) {
  shift(gates, ret, a, by, fill, false, bits);
}

void circuit_ite(Gates *gates, Lit *ret, Lit condition, const Lit *then,
                 const Lit *otherwise, uint32_t bits) {
  for (uint32_t i = 0; i < bits; i++)
    ret[i] = gate_ite(gates, condition, then[i], otherwise[i]);
}

Lit circuit_eq(Gates *gates, const Lit *a, const Lit *b, uint32_t bits) {
  Lit all = LIT_TRUE;
  for (uint32_t i = 0; i < bits; i++)
    all = gate_and(gates, all, gate_eq(gates, a[i], b[i]));
  return all;
}

/* The borrow of a - b. */
Lit circuit_ult(Gates *gates, const Lit *a, const Lit *b, uint32_t bits) {
  Lit borrow = LIT_FALSE;
  for (uint32_t i = 0; i < bits; i++)
    borrow = gate_majority(gates, lit_not(a[i]), b[i], borrow);
  return borrow;
}

/* The same with the parts of the sign bits exchanged. */
Lit circuit_slt(Gates *gates, const Lit *a, const Lit *b, uint32_t bits) {
  assert(bits > 0);
  Lit borrow = circuit_ult(gates, a, b, bits - 1);
  return gate_majority(gates, a[bits - 1], lit_not(b[bits - 1]), borrow);
}
