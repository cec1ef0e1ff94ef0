/* safe: a lock from an atomic function that waits; released by an atomic function. */
#include <pthread.h>
#include <stdlib.h>
int lk, cnt;
void __VERIFIER_atomic_acquire(void) {
  if (lk != 0) abort();
  lk = 1;
}
void __VERIFIER_atomic_release(void) { lk = 0; }
static void *w(void *p) {
  __VERIFIER_atomic_acquire();
  cnt++;
  __VERIFIER_atomic_release();
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
