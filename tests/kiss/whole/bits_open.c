// assert: open — one less does not fit
#include <assert.h>

int __VERIFIER_nondet_int(void);

struct S {
  unsigned a : 3, b : 5;
};
int main(void) {
  struct S s = {0, 1};
  s.a = (unsigned)__VERIFIER_nondet_int();
  assert(s.a < 7);
  return 0;
}
