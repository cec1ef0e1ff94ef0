/* safe: with i=j=1 and 3 rounds each, the largest value is Fibonacci's 8th: 21. */
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int i = 1, j = 1;
static void *a(void *p) { for (int k = 0; k < 3; k++) { __VERIFIER_atomic_begin(); i += j; __VERIFIER_atomic_end(); } return 0; }
static void *b(void *p) { for (int k = 0; k < 3; k++) { __VERIFIER_atomic_begin(); j += i; __VERIFIER_atomic_end(); } return 0; }
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
  __VERIFIER_atomic_begin();
  assert(i <= 21 && j <= 21);
  __VERIFIER_atomic_end();
  return 0;
}
