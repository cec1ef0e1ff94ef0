/* bad: store buffering with release/acquire may read 0 twice (C11). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r1, r2;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_release); r1 = atomic_load_explicit(&y, memory_order_acquire); return 0; }
static void *t2(void *p) { atomic_store_explicit(&y, 1, memory_order_release); r2 = atomic_load_explicit(&x, memory_order_acquire); return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(r1 + r2 > 0);
  return 0;
}
