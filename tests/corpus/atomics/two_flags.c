// race: safe — two producers, each with its own flag
#include <pthread.h>
#include <stdatomic.h>
int d1, d2;
atomic_int f1, f2;
void *p1(void *x) {
  (void)x;
  d1 = 1;
  atomic_store_explicit(&f1, 1, memory_order_release);
  return 0;
}
void *p2(void *x) {
  (void)x;
  d2 = 1;
  atomic_store_explicit(&f2, 1, memory_order_release);
  return 0;
}
void *c(void *x) {
  (void)x;
  int s = 0;
  if (atomic_load_explicit(&f1, memory_order_acquire)) s += d1;
  if (atomic_load_explicit(&f2, memory_order_acquire)) s += d2;
  return (void *)(long)s;
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, p1, 0);
  pthread_create(&b, 0, p2, 0);
  pthread_create(&d, 0, c, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  return d1 + d2;
}
