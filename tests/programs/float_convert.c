/* Conversions between floats and integers of all widths, both ways, at the edges. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static void from(double d) {
  printf("%g: %d %u %ld", d, (int)d, d >= 0 ? (unsigned)d : 0u, (long)d);
  printf(" %d %d\n", d > -129 && d < 128 ? (int8_t)d : 0,
         d > -32769 && d < 32768 ? (int16_t)d : 0);
}

int main(void) {
  const double v[] = {0.0,     0.9,     -0.9,         1.5,           -1.5, 127.99,
                      -128.99, 32767.5, 2147483647.0, -2147483648.0, 1e9};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) from(v[i]);
  printf("%u %lu\n", (unsigned)4294967295.0, (unsigned long)18446744073709549568.0);
  printf("%lu %lu\n", (unsigned long)9223372036854775808.0, (unsigned long)1e19);
  printf("%ld %ld\n", (long)-9223372036854775808.0, (long)9223372036854774784.0);
  printf("%lu\n", (unsigned long)1.8e19f);

  const long l[] = {0,
                    1,
                    -1,
                    INT_MAX,
                    LONG_MAX,
                    LONG_MIN,
                    (1L << 53) + 1,
                    -(1L << 53) - 1,
                    (1L << 24) + 1};
  for (unsigned i = 0; i < sizeof l / sizeof *l; i++)
    printf("%.17g %.9g %.20Lg\n", (double)l[i], (double)(float)l[i], (long double)l[i]);
  const unsigned long u[] = {ULONG_MAX, ULONG_MAX - 1024, 1UL << 63, (1UL << 63) + 1025,
                             0x8000000000000400};
  for (unsigned i = 0; i < sizeof u / sizeof *u; i++)
    printf("%.20g %.9g %.20Lg\n", (double)u[i], (double)(float)u[i], (long double)u[i]);
  printf("%g %g\n", (double)(float)UINT_MAX, (double)UINT_MAX);
  printf("%.9g %.9g\n", (double)(float)16777217, (double)(float)16777219);
  printf("%.9g %g %g\n", (double)(float)1.0000001, (double)(float)1e-46,
         (double)(float)3.5e38);
  printf("%.17g %.17g\n", (double)1e-400L, (double)0.1L);
  printf("%Lg %.20Lg\n", (long double)0.1f, (long double)0.1);
  int i = 7;
  i /= 2.5;
  printf("%d ", i);
  i *= 1.7;
  printf("%d ", i);
  i += 0.999;
  printf("%d ", i);
  char c = 'a';
  c += 1.9;
  printf("%c ", c);
  unsigned char uc = (unsigned char)255.9;
  uc -= 0.1;
  printf("%u\n", uc);
  long big = 9007199254740993;
  printf("%d %d\n", (double)big == 9007199254740992.0, (long)(double)big == big);
  float f = (float)2147483647;
  printf("%d\n", f == 2147483648.0f);
  double tenth = 0.1;
  _Bool b = tenth;
  printf("%d %g\n", b, b + 0.5);
  __int128 w = (__int128)1e30;
  printf("%g %d\n", (double)w, (double)w == 1e30);
  return (int)(1.9f + 1.9f);
}
