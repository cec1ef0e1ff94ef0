// race: unsafe lines 16 24 — the thread in the middle passes the news on with a relaxed store
#include <pthread.h>
#include <stdatomic.h>

static int data, got = 3;
static atomic_int first, second;

static void *middle(void *arg) {
  while (!atomic_load_explicit(&first, memory_order_acquire)) {}
  atomic_store_explicit(&second, 1, memory_order_relaxed);
  return arg;
}

static void *last(void *arg) {
  while (!atomic_load_explicit(&second, memory_order_acquire)) {}
  got = data;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, middle, NULL);
  pthread_create(&b, NULL, last, NULL);
  data = 3;
  atomic_store_explicit(&first, 1, memory_order_release);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return got > 3;
}
