// assert: unsafe — the second division rounds the other way
#include <assert.h>
#include <fenv.h>

static volatile double one = 1.0, three = 3.0;

int main(void) {
  double first = one / three;
  fesetround(FE_UPWARD);
  double second = one / three;
  assert(first == second);
  return 0;
}
