/* bad: t2 reads x before y. */
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int x, y;
static void *t1(void *p) { atomic_store(&x, 1); atomic_store(&y, 1); return 0; }
static void *t2(void *p) {
  int a = atomic_load(&x); int b = atomic_load(&y);
  if (b == 1 && a == 0) reach_error();
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0);
  return 0;
}
