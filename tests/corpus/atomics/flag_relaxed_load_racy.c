// race: unsafe lines 9 18 — release store, but a relaxed load does not acquire
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *giver(void *arg) {
  data = 5;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {}
  int got = data;
  pthread_join(t, NULL);
  return got > 5;
}
