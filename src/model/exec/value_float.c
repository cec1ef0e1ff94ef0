/* Floats of every format. In: the bits of the operands. Out: the bits that x86-64
 * computes.
 *
 * Single, double, x87 extended and quad precision are the compiler's own types, so that
 * their rounding is the hardware's (or libgcc's for quad). The two 16-bit formats have no
 * arithmetic of their own on this machine: an operation is done in single precision and
 * rounded, which is exact for + - * / because single has more than twice their digits.
 * Conversions to them go through quad, which holds every other format exactly, and are
 * rounded once, here. */
#include "model/exec/value.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef __float128 Quad;
typedef unsigned __int128 Bits128;

#ifdef __clang__ /* the library has them, its headers show them to gcc only */
Quad fmodf128(Quad x, Quad y);
Quad fmaf128(Quad x, Quad y, Quad z);
Quad scalbnf128(Quad x, int n);
#endif

typedef enum {
  FORMAT_NONE,
  FORMAT_HALF,
  FORMAT_BRAIN,
  FORMAT_SINGLE,
  FORMAT_DOUBLE,
  FORMAT_EXTENDED,
  FORMAT_QUAD
} Format;

static Format format_of(uint8_t sort, uint32_t bits) {
  if (sort == SORT_BFLOAT) return FORMAT_BRAIN;
  if (sort != SORT_FLOAT) return FORMAT_NONE;
  switch (bits) {
  case 16: return FORMAT_HALF;
  case 32: return FORMAT_SINGLE;
  case 64: return FORMAT_DOUBLE;
  case 80: return FORMAT_EXTENDED;
  case 128: return FORMAT_QUAD;
  default: return FORMAT_NONE;
  }
}

static float single_of(const uint64_t *a) {
  float x;
  memcpy(&x, a, sizeof x);
  return x;
}
static double double_of(const uint64_t *a) {
  double x;
  memcpy(&x, a, sizeof x);
  return x;
}
static long double extended_of(const uint64_t *a) {
  long double x = 0;
  memcpy(&x, a, 10);
  return x;
}
static Quad quad_of(const uint64_t *a) {
  Quad x;
  memcpy(&x, a, sizeof x);
  return x;
}
static void put_single(uint64_t *d, float x) {
  d[0] = 0;
  memcpy(d, &x, sizeof x);
}
static void put_double(uint64_t *d, double x) {
  memcpy(d, &x, sizeof x);
}
static void put_extended(uint64_t *d, long double x) {
  d[1] = 0;
  memcpy(d, &x, 10);
}
static void put_quad(uint64_t *d, Quad x) {
  memcpy(d, &x, sizeof x);
}

/* A 16-bit format: exponent width, digits after the point. */
typedef struct {
  int exponent_bits, digits;
} Small;
static const Small small_half = {5, 10}, small_brain = {8, 7};

/* Every 16-bit float is a single. */
static float widen(uint64_t a, Format format) {
  uint32_t bits;
  float x;
  if (format == FORMAT_BRAIN) {
    bits = (uint32_t)a << 16;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  uint32_t sign = (uint32_t)(a >> 15) << 31, exponent = a >> 10 & 31, digits = a & 1023;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | digits << 13 | (digits ? 0x400000 : 0);
  } else if (exponent == 0) {
    x = (float)digits * 0x1p-24f;
    return sign ? -x : x;
  } else {
    bits = sign | (exponent + 112) << 23 | digits << 13;
  }
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Rounds to nearest, ties to even, once. */
static uint64_t narrow(Quad x, Format format) {
  const Small *s = format == FORMAT_BRAIN ? &small_brain : &small_half;
  Bits128 q;
  memcpy(&q, &x, sizeof q);
  uint64_t sign = (uint64_t)(q >> 127) << 15;
  int exponent = (int)(q >> 112 & 0x7fff);
  Bits128 digits = q & (((Bits128)1 << 112) - 1);
  uint64_t infinity = (uint64_t)((1 << s->exponent_bits) - 1) << s->digits;
  if (exponent == 0x7fff) {
    uint64_t payload = (uint64_t)(digits >> (112 - s->digits));
    return sign | infinity | (digits ? payload | UINT64_C(1) << (s->digits - 1) : 0);
  }
  if (exponent == 0) return sign; /* far below the smallest subnormal of either format */
  int bias = (1 << (s->exponent_bits - 1)) - 1;
  int e = exponent - 16383 + bias; /* the exponent field wanted */
  digits |= (Bits128)1 << 112;
  int drop = 112 - s->digits + (e < 1 ? 1 - e : 0);
  if (drop > 114) drop = 114; /* only the sticky bit is left */
  Bits128 kept = digits >> drop, rest = digits & (((Bits128)1 << drop) - 1);
  Bits128 half = (Bits128)1 << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) kept++;
  /* with e >= 1 the leading digit adds 1 to the exponent field, a carry one more */
  uint64_t field = e < 1 ? 0 : (uint64_t)(e - 1);
  uint64_t bits = (field << s->digits) + (uint64_t)kept;
  return sign | (bits >= infinity ? infinity : bits);
}

static Quad to_quad(const uint64_t *a, Format format) {
  switch (format) {
  case FORMAT_HALF:
  case FORMAT_BRAIN: return (Quad)widen(a[0], format);
  case FORMAT_SINGLE: return (Quad)single_of(a);
  case FORMAT_DOUBLE: return (Quad)double_of(a);
  case FORMAT_EXTENDED: return (Quad)extended_of(a);
  default: return quad_of(a);
  }
}

static void from_quad(uint64_t *d, Quad x, Format format) {
  switch (format) {
  case FORMAT_HALF:
  case FORMAT_BRAIN: d[0] = narrow(x, format); break;
  case FORMAT_SINGLE: put_single(d, (float)x); break;
  case FORMAT_DOUBLE: put_double(d, (double)x); break;
  case FORMAT_EXTENDED: put_extended(d, (long double)x); break;
  default: put_quad(d, x); break;
  }
}

/* Between formats; the compiler's own conversions where it has them. */
static void convert(uint64_t *d, Format to, const uint64_t *a, Format from) {
  if (from == FORMAT_DOUBLE && to == FORMAT_SINGLE)
    put_single(d, (float)double_of(a));
  else if (from == FORMAT_SINGLE && to == FORMAT_DOUBLE)
    put_double(d, (double)single_of(a));
  else if (from == FORMAT_EXTENDED && to == FORMAT_SINGLE)
    put_single(d, (float)extended_of(a));
  else if (from == FORMAT_EXTENDED && to == FORMAT_DOUBLE)
    put_double(d, (double)extended_of(a));
  else
    from_quad(d, to_quad(a, from), to);
}

#define ARITHMETIC(type, get, put, mod, fused)                                           \
  switch ((ExprKind)kind) {                                                              \
  case EXPR_FADD: put(d, get(a) + get(b)); break;                                        \
  case EXPR_FSUB: put(d, get(a) - get(b)); break;                                        \
  case EXPR_FMUL: put(d, get(a) * get(b)); break;                                        \
  case EXPR_FDIV: put(d, get(a) / get(b)); break;                                        \
  case EXPR_FREM: put(d, mod(get(a), get(b))); break;                                    \
  default: put(d, fused(get(a), get(b), get(c))); break;                                 \
  }

/* + - * / % and fma of one format. */
static void arithmetic(ExprKind kind, Format format, uint64_t *d, const uint64_t *a,
                       const uint64_t *b, const uint64_t *c) {
  switch (format) {
  case FORMAT_SINGLE: ARITHMETIC(float, single_of, put_single, fmodf, fmaf) break;
  case FORMAT_DOUBLE: ARITHMETIC(double, double_of, put_double, fmod, fma) break;
  case FORMAT_EXTENDED:
    ARITHMETIC(long double, extended_of, put_extended, fmodl, fmal) break;
  case FORMAT_QUAD: ARITHMETIC(Quad, quad_of, put_quad, fmodf128, fmaf128) break;
  default: {
    uint64_t x[2] = {0}, y[2] = {0}, z[2] = {0}, r[2] = {0};
    if (kind == EXPR_FMA) { /* the product of two 16-bit floats is exact in quad */
      from_quad(d,
                fmaf128((Quad)widen(a[0], format), (Quad)widen(b[0], format),
                        (Quad)widen(c[0], format)),
                format);
      break;
    }
    put_single(x, widen(a[0], format));
    put_single(y, widen(b[0], format));
    arithmetic(kind, FORMAT_SINGLE, r, x, y, z);
    d[0] = narrow((Quad)single_of(r), format);
    break;
  }
  }
}

static bool compare(ExprKind kind, Format format, const uint64_t *a, const uint64_t *b) {
  Quad x = to_quad(a, format), y = to_quad(b, format);
  switch (kind) {
  case EXPR_FEQ: return x == y;
  case EXPR_FLT: return x < y;
  case EXPR_FLE: return x <= y;
  default: return x == x && y == y;
  }
}

/* The sign of any format is its top bit. */
static void change_sign(ExprKind kind, uint32_t bits, uint64_t *d, const uint64_t *a,
                        const uint64_t *b) {
  uint32_t word = (bits - 1) / 64;
  uint64_t mask = UINT64_C(1) << (bits - 1) % 64;
  memcpy(d, a, value_words(bits) * sizeof *d);
  if (kind == EXPR_FNEG)
    d[word] ^= mask;
  else if (kind == EXPR_FABS)
    d[word] &= ~mask;
  else
    d[word] = (d[word] & ~mask) | (b[word] & mask);
}

uint64_t value_double_to_int(double x, uint32_t bits) {
  /* cvttsd2si: what does not fit is the most negative number of the register */
  uint64_t result;
  if (bits > 32)
    result = x >= -0x1p63 && x < 0x1p63 ? (uint64_t)(int64_t)x : UINT64_C(1) << 63;
  else
    result = x > -0x1p31 - 1 && x < 0x1p31 ? (uint64_t)(int64_t)x : UINT64_C(1) << 31;
  return result & value_mask(bits);
}

uint64_t value_double_to_uint(double x, uint32_t bits) {
  if (bits <= 32) /* code for x86-64 takes the low half of a signed 64-bit conversion */
    return (bits > 16 ? value_double_to_int(x, 64) : value_double_to_int(x, 32)) &
           value_mask(bits);
  uint64_t low = value_double_to_int(x, 64);
  uint64_t high = value_double_to_int(x - 0x1p63, 64);
  return (low | (high & (uint64_t)((int64_t)low >> 63))) & value_mask(bits);
}

/* To integers: the digits of the quad, shifted into place; modulo 2^bits. */
static void to_wide_int(uint64_t *d, uint32_t bits, Quad x) {
  Bits128 q;
  memcpy(&q, &x, sizeof q);
  int shift = (int)(q >> 112 & 0x7fff) - 16383 - 112;
  Bits128 digits = (q & (((Bits128)1 << 112) - 1)) | (Bits128)1 << 112;
  uint32_t words = value_words(bits);
  memset(d, 0, words * sizeof *d);
  if (shift <= -113 || shift == 0x7fff - 16383 - 112)
    return; /* below 1, or infinite, or no number */
  if (shift < 0) digits >>= -shift, shift = 0;
  for (int part = 0; part < 2; part++) {
    uint64_t word = (uint64_t)(digits >> (64 * part));
    uint32_t at = (uint32_t)shift / 64 + (uint32_t)part, rest = (uint32_t)shift % 64;
    if (at < words) d[at] |= word << rest;
    if (rest && at + 1 < words) d[at + 1] |= word >> (64 - rest);
  }
  if (q >> 127) {
    uint64_t carry = 1;
    for (uint32_t i = 0; i < words; i++) {
      d[i] = ~d[i] + carry;
      carry = carry && d[i] == 0;
    }
  }
  if (bits % 64) d[words - 1] &= value_mask(bits % 64);
}

static void float_to_int(const ValueOp *op, Format from, uint64_t *d, const uint64_t *a) {
  if (op->bits > 64) {
    to_wide_int(d, op->bits, to_quad(a, from));
    return;
  }
  bool is_signed = op->kind == EXPR_FTOSI;
  if (from == FORMAT_EXTENDED || from == FORMAT_QUAD) {
    /* fistp and libgcc: signed conversions saturate to the most negative number */
    Quad x = to_quad(a, from);
    uint32_t width = op->bits > 32 || !is_signed ? 64 : op->bits > 16 ? 32 : 16;
    Quad limit = (Quad)(UINT64_C(1) << (width - 1));
    if (is_signed && !(x > -limit - 1 && x < limit))
      d[0] = (UINT64_C(1) << (width - 1)) & value_mask(op->bits);
    else
      to_wide_int(d, op->bits, x);
    return;
  }
  double x = from == FORMAT_DOUBLE   ? double_of(a)
             : from == FORMAT_SINGLE ? (double)single_of(a)
                                     : (double)widen(a[0], from);
  d[0] = is_signed ? value_double_to_int(x, op->bits) : value_double_to_uint(x, op->bits);
}

/* The 128 leading bits of |a| with everything below or-ed into the last ("round to odd"):
 * any later rounding to at most 126 digits is then correct. *ret_scale: the power of two
 * left out. */
static Bits128 leading_bits(const uint64_t *a, uint32_t words, int *ret_scale) {
  uint32_t n = words;
  *ret_scale = 0;
  while (n > 0 && a[n - 1] == 0) n--;
  if (n <= 2) return n == 0 ? 0 : n == 1 ? a[0] : (Bits128)a[1] << 64 | a[0];
  unsigned shift = (unsigned)__builtin_clzll(a[n - 1]);
  Bits128 top = (Bits128)a[n - 1] << 64 | a[n - 2];
  uint64_t below = a[n - 3];
  bool sticky = shift ? (below << shift) != 0 : below != 0;
  if (shift) top = top << shift | below >> (64 - shift);
  for (uint32_t i = 0; i + 3 < n && !sticky; i++) sticky = a[i] != 0;
  *ret_scale = (int)(64 * (n - 2)) - (int)shift;
  return top | sticky;
}

static ValueStatus int_to_float(const ValueOp *op, Format to, uint64_t *d,
                                const uint64_t *a) {
  uint32_t words = value_words(op->a_bits);
  bool negative =
      op->kind == EXPR_SITOF && a[(op->a_bits - 1) / 64] >> (op->a_bits - 1) % 64 & 1;
  uint64_t copy[VALUE_SMALL_WORDS * 4];
  if (words > VALUE_SMALL_WORDS * 4)
    return VALUE_FORMAT; /* C has no float that could hold such a number */
  memcpy(copy, a, words * sizeof *copy);
  if (negative) {
    uint64_t carry = 1;
    for (uint32_t i = 0; i < words; i++) {
      copy[i] = ~copy[i] + carry;
      carry = carry && copy[i] == 0;
    }
    if (op->a_bits % 64) copy[words - 1] &= value_mask(op->a_bits % 64);
  }
  int scale;
  Bits128 m = leading_bits(copy, words, &scale);
  switch (to) {
  case FORMAT_SINGLE: {
    float x = scalbnf((float)m, scale);
    put_single(d, negative ? -x : x);
    return VALUE_OK;
  }
  case FORMAT_DOUBLE: {
    double x = scalbn((double)m, scale);
    put_double(d, negative ? -x : x);
    return VALUE_OK;
  }
  case FORMAT_EXTENDED: {
    long double x = scalbnl((long double)m, scale);
    put_extended(d, negative ? -x : x);
    return VALUE_OK;
  }
  default: {
    Quad x = scalbnf128((Quad)m, scale);
    from_quad(d, negative ? -x : x, to);
    return VALUE_OK;
  }
  }
}

ValueStatus value_apply_float(const ValueOp *op, uint64_t *d, const uint64_t *a,
                              const uint64_t *b, const uint64_t *c) {
  Format from = format_of(op->a_sort, op->a_bits), to = format_of(op->sort, op->bits);
  ExprKind kind = (ExprKind)op->kind;
  switch (kind) {
  case EXPR_FADD:
  case EXPR_FSUB:
  case EXPR_FMUL:
  case EXPR_FDIV:
  case EXPR_FREM:
  case EXPR_FMA:
    if (to == FORMAT_NONE) return VALUE_FORMAT;
    arithmetic(kind, to, d, a, b, c);
    return VALUE_OK;
  case EXPR_FNEG:
  case EXPR_FABS:
  case EXPR_FCOPYSIGN: change_sign(kind, op->bits, d, a, b); return VALUE_OK;
  case EXPR_FEQ:
  case EXPR_FLT:
  case EXPR_FLE:
  case EXPR_FORD:
    if (from == FORMAT_NONE) return VALUE_FORMAT;
    d[0] = compare(kind, from, a, b);
    return VALUE_OK;
  case EXPR_FTOF:
    if (from == FORMAT_NONE || to == FORMAT_NONE) return VALUE_FORMAT;
    convert(d, to, a, from);
    return VALUE_OK;
  case EXPR_FTOSI:
  case EXPR_FTOUI:
    if (from == FORMAT_NONE) return VALUE_FORMAT;
    float_to_int(op, from, d, a);
    return VALUE_OK;
  case EXPR_SITOF:
  case EXPR_UITOF: return to == FORMAT_NONE ? VALUE_FORMAT : int_to_float(op, to, d, a);
  default: return VALUE_FORMAT;
  }
}
