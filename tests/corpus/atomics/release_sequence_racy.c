// race: unsafe lines 9 25 — another thread's relaxed store ends the release sequence
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
  if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
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
  return got > 5;
}
