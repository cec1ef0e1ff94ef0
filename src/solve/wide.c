/* See wide.h. Most numbers have one word; the loops cost them nothing worth a second path. */
#include "solve/wide.h"

#include "base/mem.h"

#include <assert.h>

bool wide_is_zero(const uint64_t *a, uint32_t bits) {
  for (uint32_t i = 0; i < wide_len(bits); i++)
    if (a[i]) return false;
  return true;
}

bool wide_is_ones(const uint64_t *a, uint32_t bits) {
  uint32_t last = wide_len(bits) - 1;
  for (uint32_t i = 0; i < last; i++)
    if (~a[i]) return false;
  return a[last] == wide_top_mask(bits);
}

uint32_t wide_log2(const uint64_t *a, uint32_t bits) {
  uint32_t found = bits;
  for (uint32_t i = 0; i < wide_len(bits); i++) {
    if (!a[i]) continue;
    if (found != bits || (a[i] & (a[i] - 1))) return bits;
    found = i * 64 + (uint32_t)__builtin_ctzll(a[i]);
  }
  return found;
}

bool wide_ult(const uint64_t *a, const uint64_t *b, uint32_t bits) {
  for (uint32_t i = wide_len(bits); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

bool wide_slt(const uint64_t *a, const uint64_t *b, uint32_t bits) {
  bool minus = wide_bit(a, bits - 1);
  if (minus != wide_bit(b, bits - 1)) return minus;
  return wide_ult(a, b, bits);
}

void wide_not(uint64_t *ret, const uint64_t *a, uint32_t bits) {
  for (uint32_t i = 0; i < wide_len(bits); i++) ret[i] = ~a[i];
  wide_cut(ret, bits);
}

void wide_neg(uint64_t *ret, const uint64_t *a, uint32_t bits) {
  uint64_t carry = 1;
  for (uint32_t i = 0; i < wide_len(bits); i++) {
    ret[i] = ~a[i] + carry;
    carry = carry && !ret[i];
  }
  wide_cut(ret, bits);
}

void wide_add(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint64_t carry = 0;
  for (uint32_t i = 0; i < wide_len(bits); i++) {
    unsigned __int128 sum = (unsigned __int128)a[i] + b[i] + carry;
    ret[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  wide_cut(ret, bits);
}

void wide_sub(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint64_t borrow = 0;
  for (uint32_t i = 0; i < wide_len(bits); i++) {
    unsigned __int128 difference = (unsigned __int128)a[i] - b[i] - borrow;
    ret[i] = (uint64_t)difference;
    borrow = (uint64_t)(difference >> 64) & 1;
  }
  wide_cut(ret, bits);
}

void wide_mul(uint64_t *ret, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint32_t len = wide_len(bits);
  if (len == 1) {
    ret[0] = a[0] * b[0];
    wide_cut(ret, bits);
    return;
  }
  uint64_t *product = mem_alloc_zero(len * sizeof *product);
  for (uint32_t i = 0; i < len; i++) {
    uint64_t carry = 0;
    for (uint32_t j = 0; i + j < len; j++) {
      unsigned __int128 sum = (unsigned __int128)a[i] * b[j] + product[i + j] + carry;
      product[i + j] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
  }
  memcpy(ret, product, len * sizeof *product);
  mem_free(product);
  wide_cut(ret, bits);
}

/* One bit of the quotient after the other, as on paper: wide divisions are rare. The remainder loses no
 * bit when it is doubled: it is smaller than the divisor, and a part of the dividend that begins
 * at its top as long as nothing was subtracted. */
static void divide_long(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                        const uint64_t *b, uint32_t bits) {
  uint32_t len = wide_len(bits);
  uint64_t *q = mem_alloc_zero(3 * len * sizeof *q), *r = q + len, *divisor = r + len;
  memcpy(divisor, b, len * sizeof *b);
  for (uint32_t i = bits; i-- > 0;) {
    wide_shl(r, r, 1, bits);
    r[0] |= wide_bit(a, i);
    if (!wide_ult(r, divisor, bits)) {
      wide_sub(r, r, divisor, bits);
      q[i / 64] |= (uint64_t)1 << (i & 63);
    }
  }
  assert(wide_ult(r, divisor, bits));
  if (quotient) memcpy(quotient, q, len * sizeof *q);
  if (remainder) memcpy(remainder, r, len * sizeof *r);
  mem_free(q);
}

void wide_udivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                  const uint64_t *b, uint32_t bits) {
  if (wide_is_zero(b, bits)) {
    if (remainder) memmove(remainder, a, wide_len(bits) * sizeof *a);
    if (quotient) {
      memset(quotient, 0xff, wide_len(bits) * sizeof *a);
      wide_cut(quotient, bits);
    }
  } else if (bits <= 64) {
    uint64_t q = a[0] / b[0], r = a[0] % b[0];
    if (quotient) *quotient = q;
    if (remainder) *remainder = r;
  } else {
    divide_long(quotient, remainder, a, b, bits);
  }
}

/* Quotients round towards 0, remainders have the sign of the dividend. By 0 the unsigned rules
 * for the amounts give what SMT-LIB says: 1 or -1, and the dividend. */
void wide_sdivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                  const uint64_t *b, uint32_t bits) {
  uint32_t len = wide_len(bits);
  bool a_minus = wide_bit(a, bits - 1), b_minus = wide_bit(b, bits - 1);
  uint64_t *x = mem_alloc(2 * len * sizeof *x), *y = x + len;
  memcpy(x, a, len * sizeof *x);
  memcpy(y, b, len * sizeof *y);
  if (a_minus) wide_neg(x, x, bits);
  if (b_minus) wide_neg(y, y, bits);
  wide_udivrem(quotient, remainder, x, y, bits);
  if (quotient && a_minus != b_minus) wide_neg(quotient, quotient, bits);
  if (remainder && a_minus) wide_neg(remainder, remainder, bits);
  mem_free(x);
}

void wide_shl(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits) {
  uint32_t len = wide_len(bits);
  if (by >= bits) {
    memset(ret, 0, len * sizeof *ret);
    return;
  }
  uint32_t words = (uint32_t)by / 64, rest = (uint32_t)by & 63;
  for (uint32_t i = len; i-- > 0;) {
    uint64_t word = i >= words ? a[i - words] << rest : 0;
    if (rest && i > words) word |= a[i - words - 1] >> (64 - rest);
    ret[i] = word;
  }
  wide_cut(ret, bits);
}

void wide_lshr(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits) {
  uint32_t len = wide_len(bits);
  if (by >= bits) {
    memset(ret, 0, len * sizeof *ret);
    return;
  }
  uint32_t words = (uint32_t)by / 64, rest = (uint32_t)by & 63;
  for (uint32_t i = 0; i < len; i++) {
    uint64_t word = i + words < len ? a[i + words] >> rest : 0;
    if (rest && i + words + 1 < len) word |= a[i + words + 1] << (64 - rest);
    ret[i] = word;
  }
}

void wide_ashr(uint64_t *ret, const uint64_t *a, uint64_t by, uint32_t bits) {
  bool minus = wide_bit(a, bits - 1);
  if (by > bits) by = bits;
  wide_lshr(ret, a, by, bits);
  for (uint32_t i = bits - (uint32_t)by; minus && i < bits;) {
    uint64_t ones = ~(uint64_t)0 << (i & 63);
    ret[i / 64] |= ones;
    i = (i / 64 + 1) * 64;
  }
  wide_cut(ret, bits);
}

uint32_t wide_distance(const uint64_t *by, uint32_t bits) {
  for (uint32_t i = 1; i < wide_len(bits); i++)
    if (by[i]) return bits;
  return by[0] < bits ? (uint32_t)by[0] : bits;
}

void wide_extract(uint64_t *ret, const uint64_t *a, uint32_t a_bits, uint32_t low,
                  uint32_t bits) {
  assert(low + bits <= a_bits);
  uint32_t len = wide_len(bits), from = wide_len(a_bits), words = low / 64,
           rest = low & 63;
  for (uint32_t i = 0; i < len; i++) {
    ret[i] = a[i + words] >> rest;
    if (rest && i + words + 1 < from) ret[i] |= a[i + words + 1] << (64 - rest);
  }
  wide_cut(ret, bits);
}

void wide_concat(uint64_t *ret, const uint64_t *high, uint32_t high_bits,
                 const uint64_t *low, uint32_t low_bits) {
  uint32_t len = wide_len(high_bits + low_bits), words = low_bits / 64,
           rest = low_bits & 63;
  memset(ret, 0, len * sizeof *ret);
  memcpy(ret, low, wide_len(low_bits) * sizeof *ret);
  for (uint32_t i = 0; i < wide_len(high_bits); i++) {
    ret[i + words] |= high[i] << rest;
    if (rest && i + words + 1 < len) ret[i + words + 1] |= high[i] >> (64 - rest);
  }
}

void wide_sext(uint64_t *ret, const uint64_t *a, uint32_t a_bits, uint32_t bits) {
  assert(a_bits > 0 && a_bits <= bits);
  memset(ret, 0, wide_len(bits) * sizeof *ret);
  memcpy(ret, a, wide_len(a_bits) * sizeof *ret);
  if (!wide_bit(a, a_bits - 1)) return;
  ret[(a_bits - 1) / 64] |= ~wide_top_mask(a_bits);
  memset(ret + wide_len(a_bits), 0xff, (wide_len(bits) - wide_len(a_bits)) * sizeof *ret);
  wide_cut(ret, bits);
}
