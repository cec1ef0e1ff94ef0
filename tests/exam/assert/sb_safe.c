/* safe: store buffering with seq_cst: one of the two sees the other. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r1, r2;
static void *t1(void *p) {
  atomic_store(&x, 1); r1 = atomic_load(&y);
  return 0;
}
static void *t2(void *p) { 
  atomic_store(&y, 1); r2 = atomic_load(&x);
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(r1 + r2 > 0);
  return 0;
}
