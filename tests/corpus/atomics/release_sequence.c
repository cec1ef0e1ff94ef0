// race: safe — another thread's read-modify-write keeps the release sequence alive
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *first(void *arg) {
  data = 5;
  atomic_store_explicit(&stage, 1, memory_order_release);
  return arg;
}

static void *second(void *arg) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&stage, &one, 2, memory_order_relaxed,
                                          memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int got = 5;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2) got = data;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return got - 5;
}
