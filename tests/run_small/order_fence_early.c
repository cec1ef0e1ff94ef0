/* The data is written between the fence and the store. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  if (!RACY) data = 7;
  atomic_thread_fence(memory_order_release);
  if (RACY) data = 7;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  int seen = data;
  finish(t);
  return seen != 7;
}
