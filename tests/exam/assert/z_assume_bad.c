/* bad: n <= 21 gives 231. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int sum;
extern unsigned __VERIFIER_nondet_uint(void);
static void assume(int c) { if (!c) abort(); }
unsigned n;
static void *w(void *p) { for (unsigned i = 1; i <= n; i++) atomic_fetch_add(&sum, (int)i); return 0; }
int main(void) {
  pthread_t t; n = __VERIFIER_nondet_uint();
  assume(n <= 21);
  pthread_create(&t, 0, w, 0); pthread_join(t, 0);
  assert(atomic_load(&sum) <= 210);
  return 0;
}
