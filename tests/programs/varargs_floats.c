/* Variable arguments: doubles past the eight registers, long doubles, mixed with
   integers. */
#include <stdarg.h>
#include <stdio.h>

static double mean(int n, ...) {
  va_list ap;
  va_start(ap, n);
  double s = 0;
  for (int i = 0; i < n; i++) s += va_arg(ap, double);
  va_end(ap);
  return n ? s / n : 0;
}

static long double longs(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long double s = 0;
  for (int i = 0; i < n; i++) s = s * 10 + va_arg(ap, long double);
  va_end(ap);
  return s;
}

static double mixed(const char *types, ...) {
  va_list ap;
  va_start(ap, types);
  double s = 0;
  for (; *types; types++) {
    switch (*types) {
    case 'd': s = s / 2 + va_arg(ap, double); break;
    case 'i': s += va_arg(ap, int); break;
    case 'L': s += (double)(va_arg(ap, long double) * 4); break;
    case 'l': s -= (double)va_arg(ap, long); break;
    }
    printf("%g ", s);
  }
  printf("\n");
  va_end(ap);
  return s;
}

static double after(double a, double b, float c, double d, double e, double f, double g,
                    double h, double i, int n, ...) {
  va_list ap;
  va_start(ap, n);
  double s = a + b * 2 + (double)c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9;
  while (n--) s += va_arg(ap, double);
  va_end(ap);
  return s;
}

int main(void) {
  printf("%g\n", mean(3, 1.5, 2.5, 3.5));
  printf("%g\n", mean(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
  float f = 0.25f;
  printf("%g\n", mean(2, f, f * 3));
  printf("%.3Lf\n", longs(4, 1.5L, 2.25L, 3.0L, 4.125L));
  mixed("didididididididididi", 1., 2, 3., 4, 5., 6, 7., 8, 9., 10, 11., 12, 13., 14, 15.,
        16, 17., 18, 19., 20);
  mixed("LdiLdiL", 0.5L, 1.0, 7, 2.5L, 3.0, 8, 1e3L);
  mixed("iiiiiiildL", 1, 2, 3, 4, 5, 6, 7, 100L, 0.125, 2.0L);
  printf("%g\n", after(1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 0.5, 0.25, 0.125));
  printf("%d %f %s %Lg %c %e %ld %.2f %g %g %g %g %g %g %x\n", 1, 2.0, "three", 4.5L, '5',
         6.0, 7L, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15);
  return 0;
}
