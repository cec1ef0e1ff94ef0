/* The release fence comes behind the store. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  data = 7;
  if (!RACY) atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  if (RACY) atomic_thread_fence(memory_order_release);
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
