/* bad: with release/acquire they need not (C11). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define L(v) atomic_load_explicit(&v, memory_order_acquire)
#define W(v) atomic_store_explicit(&v, 1, memory_order_release)
atomic_int x, y; int r1, r2, r3, r4;
static void *a(void *p) { W(x); return 0; }
static void *b(void *p) { W(y); return 0; }
static void *c(void *p) { r1 = L(x); r2 = L(y); return 0; }
static void *d(void *p) { r3 = L(y); r4 = L(x); return 0; }
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, a, 0); pthread_create(&t[1], 0, b, 0); pthread_create(&t[2], 0, c, 0); pthread_create(&t[3], 0, d, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
  return 0;
}
