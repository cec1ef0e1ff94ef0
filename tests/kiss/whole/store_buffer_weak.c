// assert: open — acquire and release are not enough
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int p, q;
static void *one(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  p = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

static void *two(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_release);
  q = atomic_load_explicit(&x, memory_order_acquire);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(p || q);
  return 0;
}
