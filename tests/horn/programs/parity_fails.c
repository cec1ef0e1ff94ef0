/* race: safe assert: unsafe */
/* A step of two in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint n;

static void *work(void *arg) {
  unsigned old = atomic_fetch_add(&n, 1);
  assert(old % 2 == 0);
  n++;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
