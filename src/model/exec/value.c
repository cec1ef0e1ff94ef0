/* Integers of any width. In: canonical words (see value.h). Out: canonical words.
 *
 * The schoolbook algorithms on 64-bit digits: carries for sums, the full product cut to
 * width, and Knuth's algorithm D for division. Widths of one word are handled first,
 * because most wide-looking work (extracting a field, comparing) ends there. */
#include "model/exec/value.h"

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

typedef unsigned __int128 Double;

static void cut(uint64_t *d, uint32_t bits) {
  if (bits % 64) d[bits / 64] &= value_mask(bits % 64);
}

static bool top_bit(const uint64_t *a, uint32_t bits) {
  return a[(bits - 1) / 64] >> ((bits - 1) % 64) & 1;
}

static bool is_zero(const uint64_t *a, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (a[i]) return false;
  return true;
}

void value_from_bytes(uint64_t *d, const uint8_t *bytes, uint32_t bits) {
  uint32_t words = value_words(bits);
  d[words - 1] = 0;
  memcpy(d, bytes, bits_to_bytes(bits));
  cut(d, bits);
}

void value_to_bytes(uint8_t *bytes, const uint64_t *a, uint32_t bits) {
  memcpy(bytes, a, bits_to_bytes(bits));
}

int value_compare(const uint64_t *a, const uint64_t *b, uint32_t bits) {
  for (uint32_t i = value_words(bits); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int value_compare_signed(const uint64_t *a, const uint64_t *b, uint32_t bits) {
  bool na = top_bit(a, bits), nb = top_bit(b, bits);
  if (na != nb) return na ? -1 : 1;
  return value_compare(a, b, bits);
}

static void add(uint64_t *d, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint64_t carry = 0;
  for (uint32_t i = 0; i < value_words(bits); i++) {
    Double sum = (Double)a[i] + b[i] + carry;
    d[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  cut(d, bits);
}

static void subtract(uint64_t *d, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint64_t borrow = 0;
  for (uint32_t i = 0; i < value_words(bits); i++) {
    Double difference = (Double)a[i] - b[i] - borrow;
    d[i] = (uint64_t)difference;
    borrow = (uint64_t)(difference >> 64) & 1;
  }
  cut(d, bits);
}

/* In place. */
static void negate(uint64_t *d, uint32_t bits) {
  uint64_t carry = 1;
  for (uint32_t i = 0; i < value_words(bits); i++) {
    d[i] = ~d[i] + carry;
    carry = carry && d[i] == 0;
  }
  cut(d, bits);
}

static void multiply(uint64_t *d, const uint64_t *a, const uint64_t *b, uint32_t bits) {
  uint32_t words = value_words(bits);
  memset(d, 0, words * sizeof *d);
  for (uint32_t i = 0; i < words; i++) {
    uint64_t carry = 0;
    for (uint32_t j = 0; i + j < words; j++) {
      Double t = (Double)a[i] * b[j] + d[i + j] + carry;
      d[i + j] = (uint64_t)t;
      carry = (uint64_t)(t >> 64);
    }
  }
  cut(d, bits);
}

static void shift_left(uint64_t *d, const uint64_t *a, uint32_t words, uint32_t by) {
  uint32_t skip = by / 64, rest = by % 64;
  for (uint32_t i = words; i-- > 0;) {
    uint64_t high = i >= skip ? a[i - skip] : 0;
    uint64_t low = i >= skip + 1 ? a[i - skip - 1] : 0;
    d[i] = rest ? high << rest | low >> (64 - rest) : high;
  }
}

static void shift_right(uint64_t *d, const uint64_t *a, uint32_t words, uint32_t by) {
  uint32_t skip = by / 64, rest = by % 64;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t low = i + skip < words ? a[i + skip] : 0;
    uint64_t high = i + skip + 1 < words ? a[i + skip + 1] : 0;
    d[i] = rest ? low >> rest | high << (64 - rest) : low;
  }
}

/* Sets the bits from `from` up to the end of `words` words. */
static void fill_ones(uint64_t *d, uint32_t words, uint32_t from) {
  for (uint32_t i = from / 64; i < words; i++)
    d[i] |= i == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
}

/* Knuth's algorithm D. u has m + 1 words and becomes the remainder, v has n >= 2 words
 * with its top bit set, q receives m + 1 - n words. */
static void divide_words(uint64_t *q, uint64_t *u, const uint64_t *v, uint32_t m,
                         uint32_t n) {
  for (uint32_t j = m + 1 - n; j-- > 0;) {
    Double top = (Double)u[j + n] << 64 | u[j + n - 1];
    Double guess = u[j + n] >= v[n - 1] ? (Double)UINT64_MAX : top / v[n - 1];
    Double rest = top - guess * v[n - 1];
    while (rest >> 64 == 0 && guess * v[n - 2] > (rest << 64 | u[j + n - 2])) {
      guess--;
      rest += v[n - 1];
    }
    uint64_t borrow = 0, carry = 0;
    for (uint32_t i = 0; i < n; i++) {
      Double product = guess * v[i] + carry;
      carry = (uint64_t)(product >> 64);
      Double t = (Double)u[i + j] - (uint64_t)product - borrow;
      u[i + j] = (uint64_t)t;
      borrow = (uint64_t)(t >> 64) & 1;
    }
    Double t = (Double)u[j + n] - carry - borrow;
    u[j + n] = (uint64_t)t;
    if (t >> 64) { /* the guess was one too big: add v back */
      guess--;
      uint64_t back = 0;
      for (uint32_t i = 0; i < n; i++) {
        Double sum = (Double)u[i + j] + v[i] + back;
        u[i + j] = (uint64_t)sum;
        back = (uint64_t)(sum >> 64);
      }
      u[j + n] += back;
    }
    q[j] = (uint64_t)guess;
  }
}

/* Unsigned division; either result may be NULL. The divisor is not 0. */
static void divide(uint64_t *quotient, uint64_t *remainder, const uint64_t *a,
                   const uint64_t *b, uint32_t bits) {
  uint32_t words = value_words(bits), n = words;
  while (b[n - 1] == 0) n--;
  uint64_t small[3 * VALUE_SMALL_WORDS + 3];
  uint64_t *space =
      words <= VALUE_SMALL_WORDS ? small : mem_alloc((3 * words + 3) * sizeof *space);
  uint64_t *u = space, *v = u + words + 1, *q = v + words + 1;
  memset(q, 0, (words + 1) * sizeof *q);
  memcpy(u, a, words * sizeof *u);
  u[words] = 0;
  if (n == 1) {
    uint64_t rest = 0;
    for (uint32_t i = words; i-- > 0;) {
      Double part = (Double)rest << 64 | a[i];
      q[i] = (uint64_t)(part / b[0]);
      rest = (uint64_t)(part % b[0]);
    }
    memset(u, 0, words * sizeof *u);
    u[0] = rest;
  } else {
    uint32_t shift = (uint32_t)__builtin_clzll(b[n - 1]);
    shift_left(v, b, n, shift);
    shift_left(u, u, words + 1, shift);
    divide_words(q, u, v, words, n);
    shift_right(u, u, words + 1, shift);
    for (uint32_t i = n; i <= words; i++) u[i] = 0;
  }
  if (quotient) memcpy(quotient, q, words * sizeof *q);
  if (remainder) memcpy(remainder, u, words * sizeof *u);
  if (space != small) mem_free(space);
}

static ValueStatus divide_any(ExprKind kind, uint32_t bits, uint64_t *d,
                              const uint64_t *a, const uint64_t *b) {
  uint32_t words = value_words(bits);
  if (is_zero(b, words)) return VALUE_DIVIDE_BY_ZERO;
  bool is_signed = kind == EXPR_SDIV || kind == EXPR_SREM;
  bool wants_quotient = kind == EXPR_SDIV || kind == EXPR_UDIV;
  if (!is_signed) {
    divide(wants_quotient ? d : NULL, wants_quotient ? NULL : d, a, b, bits);
    return VALUE_OK;
  }
  uint64_t small[2 * VALUE_SMALL_WORDS];
  uint64_t *space =
      words <= VALUE_SMALL_WORDS ? small : mem_alloc(2 * words * sizeof *space);
  uint64_t *x = space, *y = space + words;
  memcpy(x, a, words * sizeof *x);
  memcpy(y, b, words * sizeof *y);
  bool nx = top_bit(x, bits), ny = top_bit(y, bits);
  if (nx) negate(x, bits);
  if (ny) negate(y, bits);
  ValueStatus status = VALUE_OK;
  if (nx && ny && top_bit(x, bits) && y[0] == 1 && is_zero(y + 1, words - 1))
    status = VALUE_DIVIDE_OVERFLOW;
  else
    divide(wants_quotient ? d : NULL, wants_quotient ? NULL : d, x, y, bits);
  if (status == VALUE_OK && (wants_quotient ? nx != ny : nx)) negate(d, bits);
  if (space != small) mem_free(space);
  return status;
}

static ValueStatus shift_any(ExprKind kind, uint32_t bits, uint64_t *d, const uint64_t *a,
                             const uint64_t *b) {
  uint32_t words = value_words(bits);
  if (b[0] >= bits || !is_zero(b + 1, words - 1)) return VALUE_SHIFT;
  uint32_t by = (uint32_t)b[0];
  if (kind == EXPR_SHL)
    shift_left(d, a, words, by);
  else
    shift_right(d, a, words, by);
  if (kind == EXPR_ASHR && top_bit(a, bits)) fill_ones(d, words, bits - by);
  cut(d, bits);
  return VALUE_OK;
}

static uint32_t leading_zeros(const uint64_t *a, uint32_t bits) {
  uint32_t words = value_words(bits);
  for (uint32_t i = words; i-- > 0;)
    if (a[i]) return bits - (64 * i + 64 - (uint32_t)__builtin_clzll(a[i]));
  return bits;
}

static uint32_t trailing_zeros(const uint64_t *a, uint32_t bits) {
  for (uint32_t i = 0; i < value_words(bits); i++)
    if (a[i]) return 64 * i + (uint32_t)__builtin_ctzll(a[i]);
  return bits;
}

static void count_bits(ExprKind kind, uint32_t bits, uint64_t *d, const uint64_t *a) {
  uint32_t words = value_words(bits);
  uint64_t n = 0;
  if (kind == EXPR_POPCOUNT)
    for (uint32_t i = 0; i < words; i++) n += (uint64_t)__builtin_popcountll(a[i]);
  else
    n = kind == EXPR_CLZ ? leading_zeros(a, bits) : trailing_zeros(a, bits);
  memset(d, 0, words * sizeof *d);
  d[0] = n;
  cut(d,
      bits); /* the number of bits of a 1-bit zero does not fit: it wraps like LLVM's */
}

static void swap_bytes(uint64_t *d, const uint64_t *a, uint32_t bits) {
  uint32_t bytes = bits / 8;
  memset(d, 0, value_words(bits) * sizeof *d);
  for (uint32_t i = 0; i < bytes; i++)
    ((uint8_t *)d)[i] = ((const uint8_t *)a)[bytes - 1 - i];
}

static void reverse_bits(uint64_t *d, const uint64_t *a, uint32_t bits) {
  memset(d, 0, value_words(bits) * sizeof *d);
  for (uint32_t i = 0; i < bits; i++)
    if (a[i / 64] >> i % 64 & 1)
      d[(bits - 1 - i) / 64] |= UINT64_C(1) << (bits - 1 - i) % 64;
}

static void extend(uint64_t *d, const uint64_t *a, uint32_t bits, uint32_t from,
                   bool sign) {
  uint32_t words = value_words(bits), have = value_words(from);
  memset(d, 0, words * sizeof *d);
  memcpy(d, a, (have < words ? have : words) * sizeof *d);
  if (sign && from < bits && top_bit(a, from)) fill_ones(d, words, from);
  cut(d, bits);
}

static void extract(uint64_t *d, const uint64_t *a, const ValueOp *op) {
  uint32_t words = value_words(op->bits), have = value_words(op->a_bits);
  uint32_t skip = op->low / 64, rest = op->low % 64;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t low = i + skip < have ? a[i + skip] : 0;
    uint64_t high = i + skip + 1 < have ? a[i + skip + 1] : 0;
    d[i] = rest ? low >> rest | high << (64 - rest) : low;
  }
  cut(d, op->bits);
}

/* d = a with `part` (b_bits wide) in place of the bits from `low` on. */
static void insert(uint64_t *d, const uint64_t *a, const uint64_t *part,
                   const ValueOp *op) {
  memcpy(d, a, value_words(op->bits) * sizeof *d);
  for (uint32_t i = 0; i < value_words(op->b_bits); i++) {
    uint32_t width = op->b_bits - 64 * i < 64 ? op->b_bits - 64 * i : 64;
    uint64_t mask = value_mask(width);
    uint32_t at = (op->low + 64 * i) / 64, rest = (op->low + 64 * i) % 64;
    d[at] = (d[at] & ~(mask << rest)) | part[i] << rest;
    if (rest + width > 64)
      d[at + 1] = (d[at + 1] & ~(mask >> (64 - rest))) | part[i] >> (64 - rest);
  }
}

static ValueStatus apply_comparison(const ValueOp *op, uint64_t *d, const uint64_t *a,
                                    const uint64_t *b) {
  bool is_signed = op->kind == EXPR_SLT || op->kind == EXPR_SLE;
  int order = is_signed ? value_compare_signed(a, b, op->a_bits)
                        : value_compare(a, b, op->a_bits);
  switch ((ExprKind)op->kind) {
  case EXPR_EQ: d[0] = order == 0; break;
  case EXPR_NE: d[0] = order != 0; break;
  case EXPR_ULT:
  case EXPR_SLT: d[0] = order < 0; break;
  default: d[0] = order <= 0; break;
  }
  return VALUE_OK;
}

ValueStatus value_apply(const ValueOp *op, uint64_t *d, const uint64_t *a,
                        const uint64_t *b, const uint64_t *c) {
  uint32_t bits = op->bits, words = value_words(bits);
  switch ((ExprKind)op->kind) {
  case EXPR_ADD:
  case EXPR_PTRADD: add(d, a, b, bits); return VALUE_OK;
  case EXPR_SUB: subtract(d, a, b, bits); return VALUE_OK;
  case EXPR_MUL: multiply(d, a, b, bits); return VALUE_OK;
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM: return divide_any((ExprKind)op->kind, bits, d, a, b);
  case EXPR_AND:
    for (uint32_t i = 0; i < words; i++) d[i] = a[i] & b[i];
    return VALUE_OK;
  case EXPR_OR:
    for (uint32_t i = 0; i < words; i++) d[i] = a[i] | b[i];
    return VALUE_OK;
  case EXPR_XOR:
    for (uint32_t i = 0; i < words; i++) d[i] = a[i] ^ b[i];
    return VALUE_OK;
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return shift_any((ExprKind)op->kind, bits, d, a, b);
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE: return apply_comparison(op, d, a, b);
  case EXPR_POPCOUNT:
  case EXPR_CLZ:
  case EXPR_CTZ: count_bits((ExprKind)op->kind, bits, d, a); return VALUE_OK;
  case EXPR_BSWAP: swap_bytes(d, a, bits); return VALUE_OK;
  case EXPR_BITREV: reverse_bits(d, a, bits); return VALUE_OK;
  case EXPR_ZEXT:
  case EXPR_TRUNC: extend(d, a, bits, op->a_bits, false); return VALUE_OK;
  case EXPR_SEXT: extend(d, a, bits, op->a_bits, true); return VALUE_OK;
  case EXPR_EXTRACT: extract(d, a, op); return VALUE_OK;
  case EXPR_INSERT: insert(d, a, b, op); return VALUE_OK;
  case EXPR_BITCAST: memcpy(d, a, words * sizeof *d); return VALUE_OK;
  case EXPR_ITE: memcpy(d, a[0] ? b : c, words * sizeof *d); return VALUE_OK;
  default: return value_apply_float(op, d, a, b, c);
  }
}

const char *value_status_text(ValueStatus status) {
  switch (status) {
  case VALUE_OK: return "no error";
  case VALUE_DIVIDE_BY_ZERO: return "division by zero";
  case VALUE_DIVIDE_OVERFLOW: return "overflow in a division";
  case VALUE_SHIFT: return "shift by at least the width of the value";
  case VALUE_FORMAT: return "a float format that is not modelled";
  }
  return "unknown";
}
