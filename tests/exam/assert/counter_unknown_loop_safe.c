/* safe: each thread has counted k when it is joined. */
#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static unsigned n, k;
static void *work(void *p) {
  for (unsigned i = 0; i < k; i++) {
    __VERIFIER_atomic_begin();
    n++;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main(void) {
  k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k < 1000000);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2 * k);
}
