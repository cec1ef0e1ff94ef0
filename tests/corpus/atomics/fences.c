// race: safe — relaxed accesses between a release and an acquire fence
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *giver(void *arg) {
  data = 5;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {}
  atomic_thread_fence(memory_order_acquire);
  int got = data;
  pthread_join(t, NULL);
  return got - 5;
}
