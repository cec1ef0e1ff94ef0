/* race: safe */
/* A test-and-set lock by exchange. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int x;
static atomic_int lock;

static void *work(void *arg) {
  while (atomic_exchange(&lock, 1)) {
  }
  x++;
  atomic_store(&lock, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
