/* assert: unsafe */
/* … but once it is not. */
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
    sum += n == 5 ? 1 : 2;
  }
  assert(sum == 2 * n);
  return 0;
}
