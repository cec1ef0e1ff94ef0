/* Printing and reading at the edges: huge precisions, denormals, ties, round trips of
   many doubles. */
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  printf("%.60f\n%.0f\n%.5f\n", 1e-30, DBL_MAX, -DBL_MIN);
  printf("%.17e %.0e %.1e\n", 5e-324, 2.5, 0.25);
  printf("%g %g %g %g\n", 1e5, 1e6, 123456.0, 1234567.0);
  printf("%#.3g %.3g %G\n", 1.0, 0.00012345, 1e-10);
  printf("%.30Lg %La\n", LDBL_EPSILON, LDBL_MIN);
  uint64_t x = 0x123456789abcdef;
  int bad = 0;
  for (int i = 0; i < 300; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    double d, back;
    memcpy(&d, &x, sizeof d);
    if (d != d) continue;
    char text[64];
    snprintf(text, sizeof text, "%.17g", d);
    back = strtod(text, NULL);
    bad += memcmp(&d, &back, sizeof d) != 0;
    snprintf(text, sizeof text, "%a", d);
    back = strtod(text, NULL);
    bad += memcmp(&d, &back, sizeof d) != 0;
  }
  printf("%d\n", bad);
  float f = strtof("1.17549435e-38", NULL), g = strtof("3.5e38", NULL);
  printf("%a %g\n", (double)f, (double)g);
  printf("%a %a\n", strtod("2.2250738585072011e-308", NULL),
         strtod("9007199254740993", NULL));
  printf("%a\n",
         strtod("0.500000000000000166533453693773481063544750213623046875", NULL));
  printf("[%20.10s] [%-20s]\n", "truncated text", "left");
  printf("%1$s %2$d %1$s\n", "again", 5);
  printf("%'d\n", 1234567);
  return bad;
}
