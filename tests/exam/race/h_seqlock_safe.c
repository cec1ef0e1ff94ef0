/* safe: the fields are relaxed atomics. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uint seq;
atomic_int a, b;
#define RD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define WR(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
static void *wr(void *q) {
  for (int i = 0; i < 2; i++) { atomic_fetch_add(&seq, 1u); WR(a, i); WR(b, i); atomic_fetch_add(&seq, 1u); }
  return 0;
}
static void *rd(void *q) {
  unsigned s; int x, y;
  do { s = atomic_load(&seq); x = RD(a); y = RD(b); } while ((s & 1) || s != atomic_load(&seq));
  return (void *)(long)(x + y);
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, wr, 0); pthread_create(&t, 0, rd, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
