/* race: unsafe */
/* It is released before the last access. */
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
  if (x > 5) return NULL;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
