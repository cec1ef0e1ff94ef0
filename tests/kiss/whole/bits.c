// assert: safe — a bit-field keeps what fits, and its neighbour
#include <assert.h>

int __VERIFIER_nondet_int(void);

struct S {
  unsigned a : 3, b : 5;
};
int main(void) {
  struct S s = {0, 1};
  s.a = (unsigned)__VERIFIER_nondet_int();
  assert(s.a < 8 && s.b == 1);
  return 0;
}
