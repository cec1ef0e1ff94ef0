/* safe: behind its own loop every thread finds max at least at its value, for any number of threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_int max;
static void *w(void *p) {
  int v = __VERIFIER_nondet_int();
  int o = atomic_load(&max);
  while (o < v && !atomic_compare_exchange_strong(&max, &o, v)) ;
  assert(atomic_load(&max) >= v);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
