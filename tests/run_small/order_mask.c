/* Bits of a word say who is ready. */
#include "small.h"

int data[2];
atomic_uint ready;
static void *work(void *a) {
  unsigned me = a != NULL;
  data[me] = 1;
  atomic_fetch_or_explicit(&ready, 1u << me,
                           RACY ? memory_order_relaxed : memory_order_release);
  return NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, &ready);
  while (atomic_load_explicit(&ready, memory_order_acquire) != 3) {
  }
  int sum = data[0] + data[1];
  finish(t);
  finish(u);
  return sum != 2;
}
