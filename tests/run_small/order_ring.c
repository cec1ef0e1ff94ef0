/* A ring buffer whose head is advanced with relaxed order. */
#include "small.h"

enum { SIZE = 8, ITEMS = 40 };
int ring[SIZE];
atomic_uint head, tail;
static void *produce(void *a) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&tail, memory_order_acquire) == SIZE) {
    }
    ring[i % SIZE] = (int)i;
    atomic_store_explicit(&head, i + 1,
                          RACY ? memory_order_relaxed : memory_order_release);
  }
  return a;
}
int main(void) {
  int sum = 0;
  pthread_t t = start(produce, NULL);
  for (unsigned i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&head, memory_order_acquire) == i) {
    }
    sum += ring[i % SIZE];
    atomic_store_explicit(&tail, i + 1, memory_order_release);
  }
  finish(t);
  return sum != ITEMS * (ITEMS - 1) / 2;
}
