/* safe: all through the atomic type. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *w(void *p) { atomic_fetch_add(&n, 1); return 0; }
static void *v(void *p) {
  atomic_store_explicit(&n, 0, memory_order_relaxed);
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, v, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
