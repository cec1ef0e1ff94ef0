/* bad: the section ends between the two. */
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int a = 5, b = 5;
void __VERIFIER_atomic_move(int k) { if (a < k) return; a -= k; b += k; }
static void *w(void *p) { for (;;) {
  __VERIFIER_atomic_begin(); int ok = a >= 1; if (ok) a--; __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin(); if (ok) b++; __VERIFIER_atomic_end();
  } return 0; }
void __VERIFIER_atomic_check(void) { assert(a + b == 10); }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); for (;;) __VERIFIER_atomic_check(); }
