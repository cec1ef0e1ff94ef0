// race: unsafe lines 11 — the lock built from an atomic section forgets to test whether it is free
#include <pthread.h>

static int taken, value;

static void __VERIFIER_atomic_acquire(void) { taken = 1; }
static void __VERIFIER_atomic_release(void) { taken = 0; }

static void *bump(void *arg) {
  __VERIFIER_atomic_acquire();
  value++;
  __VERIFIER_atomic_release();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
