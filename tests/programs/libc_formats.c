/* Formatted output and input, sorting, quotients, complex numbers, conversions: what the
 * library computes must be what glibc computes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <math.h>
#include <complex.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
static int vp(const char *f, ...) {
  va_list a, b;
  va_start(a, f);
  va_copy(b, a);
  int n = vprintf(f, a);
  char buf[300];
  vsnprintf(buf, sizeof buf, f, b);
  va_end(a);
  va_end(b);
  fputs(buf, stdout);
  return n;
}
struct rec {
  char name[40];
  int k;
};
static int cmp(const void *a, const void *b) {
  return ((const struct rec *)a)->k - ((const struct rec *)b)->k;
}
static int icmp(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int rcmp(const void *a, const void *b, void *c) {
  (*(int *)c)++;
  return icmp(b, a);
}
int main(void) {
  printf("%d %d %d %d %d %d %d %d %f %f %f %f %f %f %f %f %f %f %Lf %Lf %s\n", 1, 2, 3, 4,
         5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.L, 12.5L, "end");
  printf(
      "%d\n",
      vp("%d %s %f %Lg %c %ld %hhx %5.2f|%-8s|%+d %g %g %g %g %g %g %g %g %Lf %d %d %d\n",
         1, "two", 3.0, 4.5L, 'c', 1L << 40, 0x1ff, 2.345, "left", 7, 1., 2., 3., 4., 5.,
         6., 7., 8., 9.25L, 1, 2, 3));
  struct rec r[20];
  for (int i = 0; i < 20; i++) {
    sprintf(r[i].name, "n%d", i);
    r[i].k = (i * 7) % 5;
  }
  qsort(r, 20, sizeof *r, cmp);
  for (int i = 0; i < 20; i++) printf("%s:%d ", r[i].name, r[i].k);
  puts("");
  int v[30];
  srand(3);
  for (int i = 0; i < 30; i++) v[i] = rand() % 100;
  int cnt = 0;
  qsort_r(v, 30, sizeof(int), rcmp, &cnt);
  for (int i = 0; i < 30; i++) printf("%d ", v[i]);
  printf("cnt %d\n", cnt);
  qsort(v, 30, sizeof(int), icmp);
  int key = v[7];
  int *f = bsearch(&key, v, 30, sizeof(int), icmp);
  printf("%d\n", *f == key);
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(-70000000000L, 3);
  lldiv_t ll = lldiv(5, -3);
  imaxdiv_t im = imaxdiv(100, 7);
  printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot,
         ll.rem, im.quot, im.rem);
  double complex z = csqrt(-2.0 + 3.0 * I);
  float complex zf = cexpf(1.0f + 2.0f * I);
  printf("%.17g %.17g %.9g %.9g %.17g %.9g\n", creal(z), cimag(z), crealf(zf), cimagf(zf),
         cabs(z), cargf(zf));
  z = cpow(z, 2.0 + I);
  printf("%.17g %.17g\n", creal(z), cimag(z));
  double ip;
  int e;
  float fi;
  long double lip;
  printf("%.17g %.17g %g %d %g %g %Lg\n", modf(3.75, &ip), ip, frexp(10, &e), e,
         modff(-1.5f, &fi), fi, modfl(2.5L, &lip));
  printf("%.20Lg %.20Lg %d\n", sinl(1.0L), powl(2.0L, 0.5L), (int)lroundl(2.5L));
  for (int c = '!'; c < 128; c += 7)
    printf("%d%d%d%d%c%c ", !!isalpha(c), !!isdigit(c), !!isspace(c), !!ispunct(c),
           toupper(c), tolower(c));
  puts("");
  char s[] = "a,b;;c,d";
  for (char *t = strtok(s, ",;"); t; t = strtok(NULL, ",;")) printf("[%s]", t);
  puts("");
  errno = 0;
  long x = strtol("999999999999999999999", NULL, 10);
  printf("%ld %d %m\n", x, errno);
  char *end;
  printf("%g %s\n", strtod("1.5e3xyz", &end), end);
  int a, b;
  char w[20];
  float ff;
  printf("%d", sscanf("12 34 word 5.5", "%d %d %19s %f", &a, &b, w, &ff));
  printf(" %d %d %s %g\n", a, b, w, ff);
  char *as;
  asprintf(&as, "%*d|%-*d|%.*s", 5, 42, 6, 7, 3, "abcdef");
  puts(as);
  free(as);
  printf("%s %d %d\n", strerror(ENOENT), strcmp("abc", "abd"),
         strncasecmp("HELLO", "helium", 3));
  printf("%d %d %d\n", memcmp("a", "c", 1), strcmp("z", "a"), strncmp("abcz", "abca", 4));
  printf("%p %p\n", (void *)0, (void *)0x1234);
  printf("%a %.3a %La %e\n", 1.0, 3.14159, 2.5L, 1e-310);
  printf("%zu %td %jd %" PRIu64 "\n", sizeof(int), (ptrdiff_t)-3, (intmax_t)-4,
         UINT64_MAX);
  printf("%1$d %2$s %1$d\n", 5, "x");
  printf("%lc%ls\n", L'x', L"yz");
  printf("%d %d\n", abs(-3), (int)labs(-4L));
  printf("%d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0,
         fpclassify(0.0) == FP_ZERO, signbit(-0.0) != 0);
  printf("%d\n", ilogb(1024.0));
  printf("%g %g %g\n", fma(2, 3, 4), hypot(3, 4), remainder(7, 4));
  return 0;
}
