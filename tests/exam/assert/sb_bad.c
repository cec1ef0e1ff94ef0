/* bad: each looks before it stores. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r1, r2;
static void *t1(void *p) {
  r1 = atomic_load(&y); atomic_store(&x, 1);
  return 0;
}
static void *t2(void *p) { 
  r2 = atomic_load(&x); atomic_store(&y, 1);
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(r1 + r2 > 0);
  return 0;
}
