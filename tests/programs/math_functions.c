/* The mathematical functions whose results are exact or correctly rounded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const double v[] = {0,   0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e10, 4503599627370497.5,
                      -0.2};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    double x = v[i];
    printf("%g: %g %g %g %g %g %g %ld %ld\n", x, floor(x), ceil(x), trunc(x), round(x),
           rint(x), nearbyint(x), lround(x), lrint(x));
  }
  printf("%.17g %.17g %g\n", sqrt(2), sqrt(1e-300), sqrt(144));
  printf("%.9g %.9g\n", (double)sqrtf(2), (double)sqrtf(0.1f));
  printf("%g %g %g %g\n", fmod(10, 3), fmod(-10, 3), fmod(10.5, -3.25), fmod(1e20, 7));
  printf("%g %g\n", remainder(10, 4), remainder(11, 4));
  printf("%g %g %g\n", fabs(-3.5), fdim(5, 3), fdim(3, 5));
  printf("%.17g\n", fma(0.1, 10, -1));
  int e;
  double m = frexp(1234.5, &e);
  printf("%.10g %d %g\n", m, e, ldexp(m, e));
  m = frexp(-1e-310, &e);
  printf("%.10g %d\n", m, e);
  double whole, frac = modf(-3.75, &whole);
  printf("%g %g\n", whole, frac);
  printf("%g %g %d\n", scalbn(1.5, 10), logb(1000), ilogb(0.1));
  printf("%.17g %.17g\n", nextafter(1, 2), nextafter(0, -1));
  printf("%g %g %g\n", hypot(3, 4), pow(2, 10), pow(-3, 3));
  printf("%g %g %g %g\n", pow(4, 0.5), pow(2, -2), exp(0), log(1));
  printf("%g %g %g\n", log2(1024), log10(1000), cbrt(27));
  printf("%g %g %g %g\n", sin(0), cos(0), tan(0), atan2(0, 1));
  printf("%.6f %.6f %.6f %.6f\n", sin(1), cos(1), exp(1), log(10));
  printf("%.6f %.6f %.6f\n", atan(1) * 4, asin(1), sinh(1));
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
  div_t d = div(-17, 5);
  ldiv_t l = ldiv(1000000007L * 3, 1000);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
  printf("%g %g %g\n", (double)floorf(-1.5f), (double)fabsf(-2.5f),
         (double)fmodf(7.5f, 2));
  printf("%g %g\n", fmax(1, 2), fmin(-0.5, 0.5));
  return 0;
}
