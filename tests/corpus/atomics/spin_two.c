// race: safe — two spin locks of compare-exchange inside of structures
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
typedef struct {
  atomic_int v;
} spin;
struct counter {
  spin l;
  int n;
} c1, c2;
static void spin_lock(spin *s) {
  int e = 0;
  while (!atomic_compare_exchange_weak_explicit(&s->v, &e, 1, memory_order_acquire,
                                                memory_order_relaxed))
    e = 0;
}
static void spin_unlock(spin *s) {
  atomic_store_explicit(&s->v, 0, memory_order_release);
}
static void add(struct counter *c, int k) {
  spin_lock(&c->l);
  c->n += k;
  spin_unlock(&c->l);
}
void *thr(void *p) {
  (void)p;
  add(&c1, 1);
  add(&c2, 2);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thr, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return c1.n + c2.n;
}
