/* NaN, infinities and signed zeros: every comparison, classification, propagation. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int relations(double a, double b) {
  return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 |
         (a != b) << 5 | (!(a < b)) << 6;
}

static int builtins(double a, double b) {
  return isgreater(a, b) | isless(a, b) << 1 | islessgreater(a, b) << 2 |
         isunordered(a, b) << 3 | isgreaterequal(a, b) << 4 | islessequal(a, b) << 5;
}

static const char *class(double v) {
  switch (fpclassify(v)) {
  case FP_NAN: return "nan";
  case FP_INFINITE: return "inf";
  case FP_ZERO: return "zero";
  case FP_SUBNORMAL: return "subnormal";
  default: return "normal";
  }
}

int main(void) {
  volatile double zero = 0;
  double inf = 1 / zero, nan_ = NAN;
  double v[] = {0.0, -0.0, 1, -1, inf, -inf, nan_, 5e-324, 1e308};
  int n = (int)(sizeof v / sizeof *v);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      printf("%02x/%02x ", relations(v[i], v[j]), builtins(v[i], v[j]));
    printf("%s %d%d%d%d%d\n", class(v[i]), !!isnan(v[i]), !!isinf(v[i]), !!isfinite(v[i]),
           !!isnormal(v[i]), !!signbit(v[i]));
  }
  printf("%f %f %F %e %G %a\n", inf, -inf, inf, inf, -inf, inf);
  printf("%f %d\n", fabs(nan_), nan_ != nan_);
  printf("%g %g %d\n", inf + 1, inf * -2, isnan(inf - inf) != 0);
  printf("%d %d\n", isnan(zero / zero) != 0, isnan(sqrt(-1 - zero)) != 0);
  printf("%g %g\n", 1 / inf, -1 / inf);
  printf("%g %g %g\n", fmax(nan_, 3), fmin(nan_, 3), fmax(-1, 2));
  float fi = (float)1e300, fn = (float)nan_;
  printf("%g %d %d\n", (double)fi, fn == fn, fi > 1e38f);
  if (nan_) printf("nan is true\n");
  printf("%d %d\n", !nan_, nan_ && 1);
  uint64_t bits;
  double quiet = __builtin_nan("0x123");
  memcpy(&bits, &quiet, 8);
  printf("%016lx\n", (unsigned long)bits);
  double copy = copysign(2.5, -0.0);
  printf("%g %g\n", copy, copysign(-3.0, 1.0));
  double arr[3] = {3, nan_, 1};
  int less = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) less += arr[i] < arr[j] || arr[i] >= arr[j];
  return less;
}
