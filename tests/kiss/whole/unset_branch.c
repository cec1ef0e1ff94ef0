// assert: open — … also on one of two ways
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int x;
  if (__VERIFIER_nondet_int()) x = 0;
  assert(x == 0);
  return 0;
}
