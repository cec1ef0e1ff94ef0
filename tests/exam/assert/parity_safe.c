/* safe: atomic steps of +2 and -4 keep the number even, in endless loops, any number of threads (unsigned wrap keeps parity). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_uint n;
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) atomic_fetch_add(&n, 2u); else atomic_fetch_sub(&n, 4u);
  }
  return 0;
}
static void *c(void *p) { assert(atomic_load(&n) % 2 == 0); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, w, 0); pthread_create(&t, 0, c, 0); } }
