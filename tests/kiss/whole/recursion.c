// assert: safe — five calls deep
#include <assert.h>

int __VERIFIER_nondet_int(void);

static int deep(int n) {
  return n <= 0 ? 0 : 1 + deep(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5) return 0;
  assert(deep(n) < 6);
  return 0;
}
