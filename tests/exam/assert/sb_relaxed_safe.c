/* safe: release/acquire message passing gives the data. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r1, r2;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_release); r1 = 1; return 0; }
static void *t2(void *p) { r2 = 1; if (atomic_load_explicit(&y, memory_order_acquire)) r2 = atomic_load_explicit(&x, memory_order_relaxed); return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(r2 == 1);
  return 0;
}
