/* A pointer is published. */
#include "small.h"

int value;
int *_Atomic ptr;
static void *w(void *p) {
  value = 42;
  atomic_store_explicit(&ptr, &value, RACY ? memory_order_relaxed : memory_order_release);
  return p;
}
static void *r(void *p) {
  int *q;
  while (!(q = atomic_load_explicit(&ptr, memory_order_acquire))) {
  }
  return *q ? p : 0;
}
int main(void) {
  pthread_t a = start(w, 0), b = start(r, 0);
  finish(a);
  finish(b);
  return 0;
}
