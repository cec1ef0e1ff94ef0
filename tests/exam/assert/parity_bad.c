/* bad: a step of +6 is made of two atomic +3. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_uint n;
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) atomic_fetch_add(&n, 2u); else atomic_fetch_sub(&n, 4u);
    if (__VERIFIER_nondet_int() == 7) { atomic_fetch_add(&n, 3u); atomic_fetch_add(&n, 3u); }
  }
  return 0;
}
static void *c(void *p) { assert(atomic_load(&n) % 2 == 0); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, w, 0); pthread_create(&t, 0, c, 0); } }
