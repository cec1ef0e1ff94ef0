/* printf of floating point values: %f %e %g %a with flags, widths, precisions, long
   double. */
#include <math.h>
#include <stdio.h>

int main(void) {
  const double v[] = {
      0,       1,     -1,      0.1,    1.0 / 3,          2.0 / 3, 123456789,
      1e15,    1e16,  1e-4,    1e-5,   9.9999995,        0.5,     1.5,
      2.5,     1e100, -1e-100, 5e-324, 3.14159265358979, 1e21,    999999.5,
      0x1.8p3, 100};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
    printf("%f|%e|%g|%a\n", v[i], v[i], v[i], v[i]);
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
    printf("%.0f|%.3e|%.10g|%.2a|%#g|%+g\n", v[i], v[i], v[i], v[i], v[i], v[i]);
  for (int p = 0; p < 18; p += 3) printf("%.*f %.*e %.*g\n", p, M_PI, p, M_PI, p, M_PI);
  printf("[%10.3f] [%-10.3f] [%010.3f] [%+10.3f] [% .3f]\n", M_E, M_E, M_E, M_E, M_E);
  printf("[%*.*f] [%-*.*e]\n", 12, 4, -M_E, 14, 2, M_E);
  printf("%E %G %A\n", 1e-10, 1e-10, 255.75);
  printf("%a %a %.0a %a\n", 0x1.fffffffffffffp1023, 0x1p-1074, 1.5, -0.0);
  printf("%Lf %Le %Lg\n", 1.0L / 3, 1e4000L, 123456789.123456789L);
  printf("%.20Lg %.30Lf\n", 0.1L, 1.0L / 7);
  printf("%La %La\n", 1.0L, 0.1L);
  printf("%lf %.1lf\n", 0.25, 0.25);
  printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
  printf("%.1f %.1f %.1f %.2f\n", 0.25, 0.35, 0.45, 1.005);
  printf("%.40f\n", 0.1);
  printf("%.50g\n", 1e22);
  printf("%#.0f %#.0e %#x\n", 3.0, 3.0, 255);
  float f = 3.3f;
  printf("%f %.10g %a\n", (double)f, (double)f, (double)f);
  return 0;
}
