/* A fence for signal handlers is none for threads. */
#include "small.h"

int data;
atomic_int ready;
static void *work(void *a) {
  data = 7;
  if (RACY)
    atomic_signal_fence(memory_order_release);
  else
    atomic_thread_fence(memory_order_release);
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
