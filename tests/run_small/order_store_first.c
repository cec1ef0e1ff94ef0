/* The flag is set before the data is there. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  if (RACY) atomic_store_explicit(&ready, 1, memory_order_release);
  data = 1;
  if (!RACY) atomic_store_explicit(&ready, 1, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  data = 2;
  finish(t);
  return 0;
}
