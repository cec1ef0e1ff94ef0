/* race: unsafe */
/* It goes on whether it has the lock or not. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int x;
static atomic_int lock;

static int take(void) {
  for (int i = 0; i < 10; i++) {
    int free = 0;
    if (atomic_compare_exchange_strong(&lock, &free, 1)) return 1;
  }
  return 0;
}

static void *work(void *arg) {
  take();
  x++;
  atomic_store(&lock, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
