// all: assert fails
// No thread at all: a loop, a call through a pointer, and a value that makes the sum wrong.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned twice(unsigned n) { return n * 2; }
static unsigned thrice(unsigned n) { return n * 3; }

int main(void) {
  unsigned (*f[2])(unsigned) = {twice, thrice};
  unsigned n = __VERIFIER_nondet_uint(), sum = 0;
  for (unsigned i = 0; i < 5; i++) sum += f[(n >> i) % 2](i + n % 7);
  assert(sum != 61);
  return 0;
}
