// assert: open — a byte wraps
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned char c = (unsigned char)__VERIFIER_nondet_int();
  c++;
  assert(c != 0);
  return 0;
}
