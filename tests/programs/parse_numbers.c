/* strtol, strtoul, strtod, atoi, sscanf: bases, signs, overflow, end pointers,
   conversions. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void tol(const char *s, int base) {
  char *end;
  errno = 0;
  long v = strtol(s, &end, base);
  printf("%ld '%s' %s; ", v, end, errno == ERANGE ? "range" : "ok");
  errno = 0;
  unsigned long u = strtoul(s, &end, base);
  printf("%lu '%s' %s\n", u, end, errno == ERANGE ? "range" : "ok");
}

static void tod(const char *s) {
  char *end;
  errno = 0;
  double d = strtod(s, &end);
  printf("%.17g '%s' %d\n", d, end, errno == ERANGE);
}

int main(void) {
  tol("42", 10);
  tol("  -17xyz", 10);
  tol("+0x1fG", 16);
  tol("0x1f", 0);
  tol("0755", 0);
  tol("zz", 36);
  tol("1012", 2);
  tol("9223372036854775807", 10);
  tol("9223372036854775808", 10);
  tol("-99999999999999999999", 10);
  tol("", 10);
  tol("abc", 10);
  tod("3.25e2abc");
  tod("-0x1.8p3");
  tod(".5.5");
  tod("1e400");
  tod("inf");
  tod("0.1");
  tod("123456789012345678901234567890");
  tod("e5");
  printf("%d %ld %lld %g\n", atoi(" 12abc"), atol("-5"), atoll("123456789012"),
         atof("2.5e-1"));
  printf("%.9g %.20Lg\n", (double)strtof("0.1", NULL), strtold("0.1", NULL));

  int a = 0, b = 0, n = 0;
  unsigned h = 0;
  char word[16], rest[16], c;
  float f;
  double d;
  short s;
  long l;
  printf("%d ", sscanf("12 -7", "%d%d", &a, &b));
  printf("%d %d\n", a, b);
  printf("%d ", sscanf("key=value;", "%15[^=]=%15[a-z]%n", word, rest, &n));
  printf("%s %s %d\n", word, rest, n);
  printf("%d ", sscanf("ff 1.5 2.5x", "%x %f %lf%c", &h, &f, &d, &c));
  printf("%x %g %g %c\n", h, (double)f, d, c);
  printf("%d ", sscanf("123456", "%3d%hd", &a, &s));
  printf("%d %d\n", a, s);
  printf("%d ", sscanf("0x10 010 10", "%i %i %*d %d", &a, &b, &n));
  printf("%d %d\n", a, b);
  printf("%d\n", sscanf("word", "%d", &a));
  printf("%d\n", sscanf("", "%d", &a));
  printf("%d ", sscanf("9999999999", "%ld", &l));
  printf("%ld\n", l);
  return 0;
}
