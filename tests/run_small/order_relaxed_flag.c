/* A flag that is written and read with relaxed order publishes nothing. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  data = 42;
  atomic_store_explicit(&ready, 1, RACY ? memory_order_relaxed : memory_order_release);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (
      !atomic_load_explicit(&ready, RACY ? memory_order_relaxed : memory_order_acquire)) {
  }
  int seen = data;
  finish(t);
  return seen != 42;
}
