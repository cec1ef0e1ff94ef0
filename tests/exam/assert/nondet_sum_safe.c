/* safe: the two halves of an amount n in [0, 10^9] add up to n. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int n; atomic_int sum;
static void *lo(void *p) { atomic_fetch_add(&sum, n / 2); return 0; }
static void *hi(void *p) { atomic_fetch_add(&sum, n - n / 2); return 0; }
int main(void) {
  pthread_t a, b;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000000) abort();
  pthread_create(&a, 0, lo, 0); pthread_create(&b, 0, hi, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(atomic_load(&sum) == n);
  return 0;
}
