/* A relaxed store of a third thread ends the release sequence. */
#include "small.h"

int data;
atomic_int state;
static void *writer(void *a) {
  data = 1;
  atomic_store_explicit(&state, 1, memory_order_release);
  return a;
}
static void *middle(void *a) {
  while (atomic_load_explicit(&state, memory_order_relaxed) != 1) {
  }
  if (RACY)
    atomic_store_explicit(&state, 2, memory_order_relaxed);
  else
    atomic_fetch_add_explicit(&state, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t = start(writer, NULL), u = start(middle, NULL);
  while (atomic_load_explicit(&state, memory_order_acquire) != 2) {
  }
  data++;
  finish(t);
  finish(u);
  return 0;
}
