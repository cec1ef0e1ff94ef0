/* Values against a naive reference: numbers as arrays of single bits, one operation after
 * the other by the definitions of school; floats against the compiler and against
 * enumeration. */
#include "model/exec/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700, WORDS = MOST / 64 + 2 };
typedef struct {
  bool bit[MOST + 1];
  uint32_t width;
} Bits;

static uint64_t state = 88172645463325252;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static Bits bits_of(const uint64_t *w, uint32_t width) {
  Bits b = {.width = width};
  for (uint32_t i = 0; i < width; i++) b.bit[i] = w[i / 64] >> i % 64 & 1;
  return b;
}
static void words_of(const Bits *b, uint64_t *w) {
  memset(w, 0, WORDS * sizeof *w);
  for (uint32_t i = 0; i < b->width; i++) w[i / 64] |= (uint64_t)b->bit[i] << i % 64;
}
static Bits zero(uint32_t width) {
  return (Bits){.width = width};
}
static Bits number(uint32_t width, uint64_t value) {
  Bits b = zero(width);
  for (uint32_t i = 0; i < width && i < 64; i++) b.bit[i] = value >> i & 1;
  return b;
}
static bool is_zero(Bits a) {
  for (uint32_t i = 0; i < a.width; i++)
    if (a.bit[i]) return false;
  return true;
}
static Bits add(Bits a, Bits b, bool carry) {
  for (uint32_t i = 0; i < a.width; i++) {
    int sum = a.bit[i] + b.bit[i] + carry;
    a.bit[i] = sum & 1;
    carry = sum > 1;
  }
  return a;
}
static Bits invert(Bits a) {
  for (uint32_t i = 0; i < a.width; i++) a.bit[i] = !a.bit[i];
  return a;
}
static Bits subtract(Bits a, Bits b) {
  return add(a, invert(b), true);
}
static Bits negate(Bits a) {
  return subtract(zero(a.width), a);
}
static Bits left(Bits a, uint32_t by) {
  Bits d = zero(a.width);
  for (uint32_t i = by; i < a.width; i++) d.bit[i] = a.bit[i - by];
  return d;
}
static Bits right(Bits a, uint32_t by, bool fill) {
  Bits d = zero(a.width);
  for (uint32_t i = 0; i < a.width; i++)
    d.bit[i] = i + by < a.width ? a.bit[i + by] : fill;
  return d;
}
static Bits multiply(Bits a, Bits b) {
  Bits d = zero(a.width);
  for (uint32_t i = 0; i < a.width; i++)
    if (b.bit[i]) d = add(d, left(a, i), false);
  return d;
}
static bool less(Bits a, Bits b) {
  for (uint32_t i = a.width; i-- > 0;)
    if (a.bit[i] != b.bit[i]) return b.bit[i];
  return false;
}
static bool negative(Bits a) {
  return a.bit[a.width - 1];
}
static bool less_signed(Bits a, Bits b) {
  return negative(a) != negative(b) ? negative(a) : less(a, b);
}
static bool same(Bits a, Bits b) {
  return !less(a, b) && !less(b, a);
}

static void divide(Bits a, Bits b, Bits *quotient, Bits *rest) {
  *quotient = zero(a.width);
  *rest = zero(a.width);
  for (uint32_t i = a.width; i-- > 0;) {
    bool out = rest->bit[a.width - 1];
    *rest = left(*rest, 1);
    rest->bit[0] = a.bit[i];
    if (out || !less(*rest, b)) {
      *rest = subtract(*rest, b);
      quotient->bit[i] = true;
    }
  }
}

static Bits divide_kind(ExprKind kind, Bits a, Bits b) {
  Bits q, r;
  bool is_signed = kind == EXPR_SDIV || kind == EXPR_SREM;
  bool na = is_signed && negative(a), nb = is_signed && negative(b);
  divide(na ? negate(a) : a, nb ? negate(b) : b, &q, &r);
  if (kind == EXPR_UDIV || kind == EXPR_SDIV) return na != nb ? negate(q) : q;
  return na ? negate(r) : r;
}

static uint64_t count(ExprKind kind, Bits a) {
  uint64_t n = 0;
  if (kind == EXPR_POPCOUNT)
    for (uint32_t i = 0; i < a.width; i++) n += a.bit[i];
  else if (kind == EXPR_CLZ)
    while (n < a.width && !a.bit[a.width - 1 - n]) n++;
  else
    while (n < a.width && !a.bit[n]) n++;
  return n;
}

/* The reference for everything with integers of one width; the result's width in *bits.
 */
static Bits reference(ExprKind kind, Bits a, Bits b, Bits c, uint32_t width,
                      uint32_t low) {
  Bits d = zero(width);
  switch (kind) {
  case EXPR_ADD: return add(a, b, false);
  case EXPR_SUB: return subtract(a, b);
  case EXPR_MUL: return multiply(a, b);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM: return divide_kind(kind, a, b);
  case EXPR_AND:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[i] && b.bit[i];
    return d;
  case EXPR_OR:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[i] || b.bit[i];
    return d;
  case EXPR_XOR:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[i] != b.bit[i];
    return d;
  case EXPR_SHL: return left(a, low);
  case EXPR_LSHR: return right(a, low, false);
  case EXPR_ASHR: return right(a, low, negative(a));
  case EXPR_EQ: return number(1, same(a, b));
  case EXPR_NE: return number(1, !same(a, b));
  case EXPR_ULT: return number(1, less(a, b));
  case EXPR_ULE: return number(1, !less(b, a));
  case EXPR_SLT: return number(1, less_signed(a, b));
  case EXPR_SLE: return number(1, !less_signed(b, a));
  case EXPR_POPCOUNT:
  case EXPR_CLZ:
  case EXPR_CTZ: return number(width, count(kind, a));
  case EXPR_BSWAP:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[width - 8 - i / 8 * 8 + i % 8];
    return d;
  case EXPR_BITREV:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[width - 1 - i];
    return d;
  case EXPR_ZEXT:
  case EXPR_TRUNC:
  case EXPR_SEXT:
    for (uint32_t i = 0; i < width; i++)
      d.bit[i] = i < a.width ? a.bit[i] : kind == EXPR_SEXT && negative(a);
    return d;
  case EXPR_EXTRACT:
    for (uint32_t i = 0; i < width; i++) d.bit[i] = a.bit[low + i];
    return d;
  case EXPR_INSERT:
    d = a;
    for (uint32_t i = 0; i < b.width; i++) d.bit[low + i] = b.bit[i];
    return d;
  case EXPR_BITCAST: return a;
  case EXPR_ITE: return a.bit[0] ? b : c;
  default: fail(); return d;
  }
}

/* Random numbers with long runs of equal bits, where carries travel far. */
static void draw_value(uint64_t *w, uint32_t width) {
  memset(w, 0, WORDS * sizeof *w);
  int kind = (int)(draw() % 6);
  for (uint32_t i = 0; i < value_words(width); i++)
    w[i] = kind == 0   ? 0
           : kind == 1 ? UINT64_MAX
           : kind == 2 ? draw() & draw() & draw()
                       : draw();
  if (kind == 3) memset(w + 1, 0, (WORDS - 1) * sizeof *w);
  if (kind == 4) w[0] = draw() % 4;
  for (uint32_t i = value_words(width); i < WORDS; i++) w[i] = 0;
  if (width % 64) w[width / 64] &= value_mask(width % 64);
}

static void check_one(ExprKind kind, uint32_t width) {
  uint64_t a[WORDS], b[WORDS], c[WORDS], d[WORDS + 1], want[WORDS];
  ValueOp op = {.kind = (uint8_t)kind,
                .sort = SORT_INT,
                .a_sort = SORT_INT,
                .bits = width,
                .a_bits = width,
                .b_bits = width};
  if (kind >= EXPR_EQ && kind <= EXPR_SLE) op.bits = 1;
  if (kind == EXPR_BSWAP) op.bits = op.a_bits = (width + 15) / 16 * 16;
  if (kind == EXPR_ZEXT || kind == EXPR_SEXT)
    op.bits = width + 1 + (uint32_t)(draw() % 200);
  if (kind == EXPR_TRUNC) op.a_bits = width + 1 + (uint32_t)(draw() % 200);
  if (kind == EXPR_EXTRACT) {
    op.a_bits = width + (uint32_t)(draw() % 200);
    op.low = (uint32_t)(draw() % (op.a_bits - width + 1));
  }
  if (kind == EXPR_INSERT) {
    op.b_bits = 1 + (uint32_t)(draw() % width);
    op.low = (uint32_t)(draw() % (width - op.b_bits + 1));
  }
  if (kind == EXPR_ITE) op.a_bits = 1;
  if (op.bits > MOST || op.a_bits > MOST) return;
  draw_value(a, op.a_bits);
  draw_value(b, kind == EXPR_INSERT ? op.b_bits : width);
  draw_value(c, width);
  uint32_t low = op.low;
  if (kind == EXPR_SHL || kind == EXPR_LSHR || kind == EXPR_ASHR) {
    low = (uint32_t)(draw() % width);
    memset(b, 0, sizeof b);
    b[0] = low;
    if (low > value_mask(width)) return;
  }
  Bits x = bits_of(a, op.a_bits), y = bits_of(b, kind == EXPR_INSERT ? op.b_bits : width);
  Bits z = bits_of(c, width);
  bool divides = kind >= EXPR_UDIV && kind <= EXPR_SREM;
  d[value_words(op.bits)] = 0x5aa5;
  ValueStatus status = value_apply(&op, d, a, b, c);
  assert_int_equal(d[value_words(op.bits)], 0x5aa5); /* nothing is written behind */
  if (divides && is_zero(y)) {
    assert_int_equal(status, VALUE_DIVIDE_BY_ZERO);
    return;
  }
  bool overflow = (kind == EXPR_SDIV || kind == EXPR_SREM) && negative(x) &&
                  same(x, negate(x)) && is_zero(invert(y));
  if (overflow) {
    assert_int_equal(status, VALUE_DIVIDE_OVERFLOW);
    return;
  }
  assert_int_equal(status, VALUE_OK);
  Bits r = reference(kind, x, y, z, op.bits, low);
  words_of(&r, want);
  if (memcmp(d, want, value_words(op.bits) * sizeof *d) != 0)
    fail_msg("%s of %u bits: %llx instead of %llx", expr_kind_text(kind), width,
             (unsigned long long)d[0], (unsigned long long)want[0]);
}

static void test_integers_of_every_width(void **unused) {
  (void)unused;
  static const ExprKind kinds[] = {
      EXPR_ADD,  EXPR_SUB,      EXPR_MUL,   EXPR_UDIV,    EXPR_SDIV,   EXPR_UREM,
      EXPR_SREM, EXPR_AND,      EXPR_OR,    EXPR_XOR,     EXPR_SHL,    EXPR_LSHR,
      EXPR_ASHR, EXPR_EQ,       EXPR_NE,    EXPR_ULT,     EXPR_ULE,    EXPR_SLT,
      EXPR_SLE,  EXPR_POPCOUNT, EXPR_CLZ,   EXPR_CTZ,     EXPR_BSWAP,  EXPR_BITREV,
      EXPR_ZEXT, EXPR_SEXT,     EXPR_TRUNC, EXPR_EXTRACT, EXPR_INSERT, EXPR_BITCAST,
      EXPR_ITE};
  static const uint32_t widths[] = {1,   2,   3,   7,   8,   9,   15,  16,  24,  31,
                                    32,  33,  48,  63,  64,  65,  80,  96,  127, 128,
                                    129, 191, 192, 193, 200, 255, 256, 300, 512};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
      for (int round = 0; round < 12; round++) check_one(kinds[k], widths[w]);
}

static void test_over_wide_shifts(void **unused) {
  (void)unused;
  uint64_t a[4] = {1}, b[4] = {0}, d[4];
  for (uint32_t width = 2; width < 256; width++) {
    ValueOp op = {.kind = EXPR_SHL,
                  .sort = SORT_INT,
                  .a_sort = SORT_INT,
                  .bits = width,
                  .a_bits = width};
    b[0] = width;
    if (width <= value_mask(width > 64 ? 64 : width))
      assert_int_equal(value_apply(&op, d, a, b, NULL), VALUE_SHIFT);
    b[0] = width - 1;
    assert_int_equal(value_apply(&op, d, a, b, NULL), VALUE_OK);
  }
}

/* ---- floats ---- */

static uint64_t apply1(ExprKind kind, uint8_t sort, uint32_t bits, uint8_t a_sort,
                       uint32_t a_bits, const uint64_t *a, uint64_t *d) {
  ValueOp op = {.kind = (uint8_t)kind,
                .sort = sort,
                .a_sort = a_sort,
                .bits = bits,
                .a_bits = a_bits};
  assert_int_equal(value_apply(&op, d, a, a, a), VALUE_OK);
  return d[0];
}

static double half_value(uint64_t h) {
  int exponent = (int)(h >> 10 & 31);
  double m = (double)(h & 1023);
  double x = exponent ? ldexp(1024 + m, exponent - 25) : ldexp(m, -24);
  return h >> 15 ? -x : x;
}
static double brain_value(uint64_t h) {
  uint32_t bits = (uint32_t)h << 16;
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

/* Rounding to 16 bits: the nearest of all finite values, even on ties. */
static void check_rounding(uint8_t sort, double (*value)(uint64_t), uint64_t infinity) {
  uint64_t d[2], w[2] = {0};
  for (uint64_t h = 0; h < 0x8000; h++) {
    if (h > infinity) continue;
    for (int side = 0; side < 3; side++) {
      double here = h == infinity ? 2 * value(h - 1) - value(h - 2) : value(h);
      double next =
          h + 1 >= infinity ? here + (here - value(h ? h - 1 : 0)) : value(h + 1);
      double middle = here + (next - here) / 2;
      double x = side == 0 ? here : side == 1 ? middle : nextafter(middle, INFINITY);
      uint64_t want = side == 0 ? h : side == 1 ? h + (h & 1) : h + 1;
      if (h == infinity || want > infinity) want = infinity;
      memcpy(w, &x, 8);
      apply1(EXPR_FTOF, sort, 16, SORT_FLOAT, 64, w, d);
      if (d[0] != want)
        fail_msg("%a rounds to %llx instead of %llx", x, (unsigned long long)d[0],
                 (unsigned long long)want);
      double back;
      if (want < infinity) {
        apply1(EXPR_FTOF, SORT_FLOAT, 64, sort, 16, d, w);
        memcpy(&back, w, 8);
        assert_true(back == value(want));
      }
    }
  }
}

static void test_sixteen_bit_floats(void **unused) {
  (void)unused;
  check_rounding(SORT_FLOAT, half_value, 0x7c00);
  check_rounding(SORT_BFLOAT, brain_value, 0x7f80);
}

#define CHECK_TYPE(type, width, mod, fused)                                              \
  do {                                                                                   \
    type x, y, z, want, got;                                                             \
    uint64_t a[2] = {0}, b[2] = {0}, c[2] = {0}, d[2] = {0};                             \
    x = (type)(int64_t)draw() / (type)(1 + draw() % 1000000);                            \
    y = (type)(int64_t)draw() / (type)(1 + draw() % 1000000);                            \
    z = (type)(int64_t)draw();                                                           \
    size_t n = width == 80 ? 10 : width / 8;                                             \
    memcpy(a, &x, n), memcpy(b, &y, n), memcpy(c, &z, n);                                \
    for (int k = EXPR_FADD; k <= EXPR_FMA; k++) {                                        \
      want = k == EXPR_FADD   ? x + y                                                    \
             : k == EXPR_FSUB ? x - y                                                    \
             : k == EXPR_FMUL ? x * y                                                    \
             : k == EXPR_FDIV ? x / y                                                    \
             : k == EXPR_FREM ? mod(x, y)                                                \
             : k == EXPR_FNEG ? -x                                                       \
             : k == EXPR_FABS ? (x < 0 ? -x : x)                                         \
                              : fused(x, y, z);                                          \
      ValueOp op = {.kind = (uint8_t)k,                                                  \
                    .sort = SORT_FLOAT,                                                  \
                    .a_sort = SORT_FLOAT,                                                \
                    .bits = width,                                                       \
                    .a_bits = width};                                                    \
      assert_int_equal(value_apply(&op, d, a, b, c), VALUE_OK);                          \
      got = 0;                                                                           \
      memcpy(&got, d, n);                                                                \
      assert_true(got == want);                                                          \
    }                                                                                    \
    for (int k = EXPR_FEQ; k <= EXPR_FORD; k++) {                                        \
      ValueOp op = {.kind = (uint8_t)k,                                                  \
                    .sort = SORT_INT,                                                    \
                    .a_sort = SORT_FLOAT,                                                \
                    .bits = 1,                                                           \
                    .a_bits = width};                                                    \
      value_apply(&op, d, a, b, c);                                                      \
      assert_int_equal(d[0], k == EXPR_FEQ   ? x == y                                    \
                             : k == EXPR_FLT ? x < y                                     \
                             : k == EXPR_FLE ? x <= y                                    \
                                             : 1);                                       \
    }                                                                                    \
    /* integers and back */                                                              \
    uint64_t i = draw() >> draw() % 64;                                                  \
    apply1(EXPR_SITOF, SORT_FLOAT, width, SORT_INT, 64, &i, d);                          \
    want = (type)(int64_t)i;                                                             \
    got = 0;                                                                             \
    memcpy(&got, d, n);                                                                  \
    assert_true(got == want);                                                            \
    apply1(EXPR_UITOF, SORT_FLOAT, width, SORT_INT, 64, &i, d);                          \
    want = (type)i;                                                                      \
    memcpy(&got, d, n);                                                                  \
    assert_true(got == want);                                                            \
    x = (type)(int64_t)(i >> 2) / 2;                                                     \
    memcpy(a, &x, n);                                                                    \
    apply1(EXPR_FTOSI, SORT_INT, 64, SORT_FLOAT, width, a, d);                           \
    assert_true((int64_t)d[0] == (int64_t)x);                                            \
    apply1(EXPR_FTOUI, SORT_INT, 64, SORT_FLOAT, width, a, d);                           \
    assert_true(d[0] == (uint64_t)x);                                                    \
  } while (0)

static void test_compiler_formats(void **unused) {
  (void)unused;
  for (int round = 0; round < 20000; round++) {
    CHECK_TYPE(float, 32, fmodf, fmaf);
    CHECK_TYPE(double, 64, fmod, fma);
    CHECK_TYPE(long double, 80, fmodl, fmal);
  }
}

/* Numbers wider than any register: exact powers and sticky bits below the last digit. */
static void test_wide_conversions(void **unused) {
  (void)unused;
  for (uint32_t top = 0; top < 250; top++) {
    uint64_t a[5] = {0}, d[4];
    a[top / 64] = UINT64_C(1) << top % 64;
    double want = ldexp(1, (int)top), got;
    apply1(EXPR_UITOF, SORT_FLOAT, 64, SORT_INT, 260, a, d);
    memcpy(&got, d, 8);
    assert_true(got == want);
    uint64_t back[5];
    apply1(EXPR_FTOUI, SORT_INT, 260, SORT_FLOAT, 64, d, back);
    assert_memory_equal(back, a, sizeof back);
    if (top < 60) continue;
    /* half a unit in the last place, and a bit far below: rounds up, without it to even
     */
    uint32_t half = top - 53;
    a[half / 64] |= UINT64_C(1) << half % 64;
    apply1(EXPR_UITOF, SORT_FLOAT, 64, SORT_INT, 260, a, d);
    memcpy(&got, d, 8);
    assert_true(got == want);
    a[0] |= 1;
    apply1(EXPR_UITOF, SORT_FLOAT, 64, SORT_INT, 260, a, d);
    memcpy(&got, d, 8);
    assert_true(got == nextafter(want, INFINITY));
  }
}

/* What does not fit is what the processor's conversion leaves. */
static void test_conversions_out_of_range(void **unused) {
  (void)unused;
  assert_int_equal(value_double_to_int(3e9, 32), 0x80000000);
  assert_int_equal(value_double_to_int(NAN, 32), 0x80000000);
  assert_int_equal(value_double_to_int(-2147483648.9, 32), 0x80000000);
  assert_int_equal(value_double_to_int(-1.5, 16), 0xffff);
  assert_int_equal(value_double_to_int(1e30, 64), UINT64_C(1) << 63);
  assert_int_equal(value_double_to_uint(3e9, 32), 3000000000);
  assert_int_equal(value_double_to_uint(-1.0, 32), 0xffffffff);
  assert_int_equal(value_double_to_uint(1.5e19, 64), UINT64_C(15000000000000000000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers_of_every_width),
      cmocka_unit_test(test_over_wide_shifts),
      cmocka_unit_test(test_sixteen_bit_floats),
      cmocka_unit_test(test_compiler_formats),
      cmocka_unit_test(test_wide_conversions),
      cmocka_unit_test(test_conversions_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
