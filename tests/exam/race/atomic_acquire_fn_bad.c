/* bad: acquire does not wait when the lock is taken (the test is lost). */
#include <pthread.h>
int lk, cnt;
void __VERIFIER_atomic_acquire(void) {
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
