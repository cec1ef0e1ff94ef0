/* race: safe assert: safe */
/* The greatest number so far, by compare and exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint greatest;

static void *work(void *arg) {
  unsigned mine = (unsigned)__VERIFIER_nondet_int();
  unsigned seen = greatest;
  while (seen < mine && !atomic_compare_exchange_strong(&greatest, &seen, mine)) {
  }
  unsigned later = greatest;
  assert(later >= mine);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
