/* assert: safe */
/* One thread, a loop without bound. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
  unsigned i = 0, j = 0;
  while (__VERIFIER_nondet_int()) {
    i++;
    j++;
    if (i == j) continue;
    j = 0;
  }
  assert(i == j);
  return 0;
}
