/* Relaxed accesses between two fences, or behind one. */
#include "small.h"

int data;
atomic_int ready;
static void *w(void *p) {
  data = 1;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return p;
}
static void *r(void *p) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
  }
  if (!RACY) atomic_thread_fence(memory_order_seq_cst);
  return data ? p : 0;
}
int main(void) {
  pthread_t a = start(w, 0), b = start(r, 0);
  finish(a);
  finish(b);
  return 0;
}
