/* Rounding modes: fesetround changes what the next operations give; exceptions are
   remembered. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  volatile double one = 1, three = 3, x = 2.5, y = -2.5;
  for (int i = 0; i < 4; i++) {
    fesetround(modes[i]);
    printf("%.20f %g %g %ld\n", one / three, rint(x), nearbyint(y), lrint(x));
    printf("%d %.9g\n", fegetround() == modes[i], (double)(float)(one / three));
  }
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  volatile double zero = 0, r = one / zero;
  printf("%g %d %d\n", r, fetestexcept(FE_DIVBYZERO) != 0, fetestexcept(FE_INVALID) != 0);
  r = zero / zero;
  printf("%d\n", fetestexcept(FE_INVALID) != 0);
  return 0;
}
