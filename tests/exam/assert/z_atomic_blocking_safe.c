/* safe: sections do not interleave: the sum is seen as a whole. */
#include <pthread.h>
#include <assert.h>
int a = 5, b = 5;
void __VERIFIER_atomic_move(int k) { if (a < k) return; a -= k; b += k; }
static void *w(void *p) { for (;;) {
  __VERIFIER_atomic_move(1);
  } return 0; }
void __VERIFIER_atomic_check(void) { assert(a + b == 10); }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); for (;;) __VERIFIER_atomic_check(); }
