/* bad: a plain store may lower max. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_int max;
static void *w(void *p) {
  int v = __VERIFIER_nondet_int();
  int o = atomic_load(&max);
  if (o < v) atomic_store(&max, v);
  assert(atomic_load(&max) >= v);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
