/* The store releases, but the load does not acquire. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (
      !atomic_load_explicit(&ready, RACY ? memory_order_relaxed : memory_order_acquire)) {
  }
  data++;
  finish(t);
  return 0;
}
