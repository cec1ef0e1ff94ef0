/* safe: relaxed reads of one variable do not go back. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
#define R(v) atomic_load_explicit(&v, memory_order_relaxed)
static void *a(void *p) { for (int i = 1; i <= 3; i++) { atomic_store_explicit(&x, i, memory_order_relaxed); atomic_store_explicit(&y, i, memory_order_relaxed); } return 0; }
static void *b(void *p) {
  int u = R(x), v = R(x);
  assert(u <= v);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
