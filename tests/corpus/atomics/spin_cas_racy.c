// race: unsafe lines 17 — the test and the store that takes the lock are two operations
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int value;

static void acquire(int me) {
  while (atomic_load(&owner) != 0) {}
  atomic_store(&owner, me);
}

static void release(void) { atomic_store(&owner, 0); }

static void *bump(void *arg) {
  acquire(*(int *)arg);
  value++;
  release();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, bump, &one);
  pthread_create(&b, NULL, bump, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
