/* race: safe assert: unsafe */
/* Somebody takes away what was added. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint count;

static void *work(void *arg) {
  unsigned seen = count;
  do {
    __VERIFIER_assume(seen < 0xffffffffu);
  } while (!atomic_compare_exchange_strong(&count, &seen, seen + 1));
  unsigned later = count;
  assert(later > seen);
  count--;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
