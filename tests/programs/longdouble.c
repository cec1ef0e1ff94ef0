/* long double: 80-bit arithmetic, in memory, in structs, arrays, as arguments and
   results. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct L {
  char tag;
  long double v;
};

static long double power(long double b, int n) {
  long double r = 1;
  for (; n; n >>= 1, b *= b)
    if (n & 1) r *= b;
  return r;
}

static struct L scale(struct L l, long double k) {
  l.v *= k;
  l.tag++;
  return l;
}

static long double e_series(void) {
  long double s = 0, t = 1;
  for (int i = 1; i < 30; i++) {
    s += t;
    t /= i;
  }
  return s;
}

int main(void) {
  long double a = 1.0L, b = 3.0L;
  printf("%.21Lg %.21Lg\n", a / b, a / b * b);
  printf("%.21Lg\n", power(1.1L, 100));
  printf("%.18Lf\n", e_series());
  printf("%Lg %Lg\n", LDBL_MAX, LDBL_MIN);
  printf("%d %d %d\n", LDBL_MANT_DIG, LDBL_MAX_EXP, (int)sizeof(long double));
  double tenth = 0.1;
  long double big = 18446744073709551615.0L;
  printf("%.0Lf %lu %d\n", big, (unsigned long)big, big + 1 > big);
  printf("%d %d\n", (double)big == big, a / 10 == tenth);
  struct L l = {'a', 1.5L};
  for (int i = 0; i < 4; i++) l = scale(l, 1 + i);
  printf("%c %Lg %zu\n", l.tag, l.v, sizeof l);
  long double arr[4] = {1, 2, 3};
  arr[3] = arr[1] - arr[2] * 7 / 2;
  long double copy[4];
  memcpy(copy, arr, sizeof arr);
  printf("%Lg %Lg\n", copy[3], -copy[2]);
  unsigned char bytes[16];
  memset(bytes, 0, sizeof bytes);
  long double m = -1.0L;
  memcpy(bytes, &m, 10);
  for (int i = 9; i >= 0; i--) printf("%02x", bytes[i]);
  printf("\n%Lg %Lg %Lg\n", fabsl(m), sqrtl(2.25L), floorl(-1.5L));
  printf("%ld %d %u\n", (long)-1e18L, (int)3.99L, (unsigned)4e9L);
  printf("%d%d%d\n", a < b, a >= b, a != a);
  long double n = (long double)NAN;
  printf("%d %d\n", n == n, isnan(n) != 0);
  float f = (float)(1.0L / 3);
  printf("%.9g %.17g\n", (double)f, (double)(1.0L / 3));
  m++;
  m -= 2.5L;
  printf("%Lg %d\n", m, !m);
  return 0;
}
