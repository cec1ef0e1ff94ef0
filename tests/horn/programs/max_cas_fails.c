/* race: safe assert: unsafe */
/* The comparison and the store are two steps. */
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
  if (greatest < mine) greatest = mine;
  unsigned later = greatest;
  assert(later >= mine);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
