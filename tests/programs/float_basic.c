/* Floating point arithmetic in float and double: rounding, evaluation order, accumulated
   sums. */
#include <float.h>
#include <stdio.h>

static float fsum(int n) {
  float s = 0;
  for (int i = 1; i <= n; i++) s += 1.0f / (float)i;
  return s;
}

static double dsum(int n) {
  double s = 0;
  for (int i = n; i >= 1; i--) s += 1.0 / i;
  return s;
}

static double kahan(const double *v, int n) {
  double s = 0, c = 0;
  for (int i = 0; i < n; i++) {
    double y = v[i] - c, t = s + y;
    c = (t - s) - y;
    s = t;
  }
  return s;
}

static double newton(double x) {
  double r = x;
  for (int i = 0; i < 60; i++) r = (r + x / r) / 2;
  return r;
}

static double horner(const double *c, int n, double x) {
  double r = 0;
  while (n--) r = r * x + c[n];
  return r;
}

int main(void) {
  printf("%.9g %.17g\n", (double)fsum(1000), dsum(1000));
  double v[100];
  for (int i = 0; i < 100; i++) v[i] = i % 2 ? 1e-9 * i : 1e9 / (i + 1);
  printf("%.17g\n", kahan(v, 100));
  printf("%.17g %.17g\n", newton(2), newton(1e10));
  double c[] = {1, -2.5, 0.125, 3, -1};
  for (double x = -1; x <= 1; x += 0.5) printf("%.10g ", horner(c, 5, x));
  printf("\n");
  float f = 16777216.0f;
  f += 1;
  printf("%.1f ", (double)f);
  f += 2;
  printf("%.1f ", (double)f);
  f = 0.1f;
  double d = 0.1;
  printf("%d %d %.20f\n", (double)f == d, f == 0.1f, (double)f);
  printf("%.17g %.17g\n", 0.1 + 0.2, 0.1f + 0.2f + 0.0);
  printf("%g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
  printf("%g %g %g\n", (double)FLT_MAX, (double)FLT_MIN, (double)FLT_EPSILON);
  double tiny = DBL_MIN;
  int steps = 0;
  while (tiny > 0) tiny /= 2, steps++;
  printf("%d\n", steps);
  float ftiny = FLT_MIN;
  for (steps = 0; ftiny > 0; steps++) ftiny /= 2;
  printf("%d\n", steps);
  double x = 10, y = 3;
  x += y, x *= y, x -= 1, x /= y;
  printf("%.15g %g %g\n", x, -x, +y);
  x++;
  --y;
  printf("%.15g %g\n", x, y);
  double z = -0.0;
  printf("%g %g %d %g\n", z, 0.0 - z, z == 0.0, 1 / (z - 1));
  return 0;
}
