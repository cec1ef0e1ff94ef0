/* A spin lock that is taken with relaxed order. */
#include "small.h"

atomic_int busy;
int count;
static void *work(void *a) {
  for (int i = 0; i < 50; i++) {
    int zero = 0;
    while (!atomic_compare_exchange_weak_explicit(
        &busy, &zero, 1, RACY ? memory_order_relaxed : memory_order_acquire,
        memory_order_relaxed))
      zero = 0;
    count++;
    atomic_store_explicit(&busy, 0, memory_order_release);
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  work(NULL);
  finish(t);
  return 0;
}
