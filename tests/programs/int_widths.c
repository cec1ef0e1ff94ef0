/* Integers of every width: promotions, conversions up and down, signedness, mixed
   comparisons. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int8_t to8(long v) {
  return (int8_t)v;
}
static uint8_t tou8(long v) {
  return (uint8_t)v;
}
static int16_t to16(long v) {
  return (int16_t)v;
}
static uint16_t tou16(long v) {
  return (uint16_t)v;
}
static int32_t to32(long v) {
  return (int32_t)v;
}
static uint32_t tou32(long v) {
  return (uint32_t)v;
}

int main(void) {
  const long v[] = {0,
                    1,
                    -1,
                    127,
                    128,
                    255,
                    256,
                    -128,
                    -129,
                    32767,
                    32768,
                    65535,
                    65536,
                    0x7fffffffL,
                    0x80000000L,
                    0xffffffffL,
                    0x100000000L,
                    LONG_MAX,
                    LONG_MIN,
                    0x123456789abcdefL};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
    printf("%d %u %d %u %d %u\n", to8(v[i]), tou8(v[i]), to16(v[i]), tou16(v[i]),
           to32(v[i]), tou32(v[i]));

  signed char sc = -1;
  unsigned char uc = 255;
  char c = (char)200;
  short s = -2;
  unsigned short us = 65535;
  printf("%d %d %d %d\n", sc == uc, c, sc + uc, (unsigned char)sc == uc);
  printf("%d %d %d\n", s < us, us * 2 > 0, (us << 8) >> 8);
  printf("%d %d %d\n", -1 < 1u, -1L < 1u, sc < 1ul);
  printf("%d %d\n", (int)sizeof('a'), (int)sizeof(sc + sc));
  printf("%u %lu\n", -1u, -1ul);
  sc = 127;
  sc++;
  uc++;
  us += 2;
  printf("%d %u %u\n", sc, uc, us);
  uc -= 1;
  uc *= uc;
  printf("%u ", uc);
  uc = (unsigned char)~uc;
  printf("%u\n", uc);

  printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 / -2, -7 / -2);
  printf("%d %d %d %d\n", 7 % 3, -7 % 3, 7 % -3, -7 % -3);
  printf("%u %lu\n", -7u / 2, (unsigned long)-7 / 2);
  printf("%ld %d\n", LONG_MIN / 2, INT_MIN / 2);
  int64_t big = (int64_t)INT_MAX * INT_MAX;
  printf("%ld %lu\n", (long)big, (unsigned long)UINT_MAX * UINT_MAX);
  unsigned h = 2166136261u;
  for (const char *p = "integers"; *p; p++) h = (h ^ (unsigned char)*p) * 16777619u;
  printf("%08x\n", h);
  uint64_t x = 88172645463325252ull;
  for (int i = 0; i < 5; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    printf("%lu ", (unsigned long)x);
  }
  intmax_t m = INTMAX_MIN;
  uintptr_t up = UINTPTR_MAX;
  printf("\n%jd %ju\n", m, (uintmax_t)up);
  enum { SMALL = -5, LARGE = 5 } e = SMALL;
  printf("%d %d %zu\n", e + LARGE, e < 0, sizeof e);
  return tou8(300);
}
