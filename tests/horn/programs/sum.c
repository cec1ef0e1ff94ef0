/* assert: safe */
/* A sum that is twice a counter, in a loop without bound. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
  int n = 0, sum = 0;
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_assume(n < 1000000);
    n++;
    sum += 2;
  }
  assert(sum == 2 * n);
  return 0;
}
