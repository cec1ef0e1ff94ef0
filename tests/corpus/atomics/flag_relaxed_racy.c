// race: unsafe lines 9 18 — a relaxed flag carries no order, though its value arrives
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_bool ready;

static void *giver(void *arg) {
  data = 5;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  int got = 5;
  pthread_create(&t, NULL, giver, NULL);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) got = data;
  pthread_join(t, NULL);
  return got > 5;
}
