/* What a failed compare-exchange saw is acquired only if its failure order says so. */
#include "small.h"

int data;
atomic_int state;
static void *work(void *a) {
  data = 5;
  atomic_store_explicit(&state, 2, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  int expected = 7;
  do expected = 7;
  while (atomic_compare_exchange_strong_explicit(
             &state, &expected, 9, memory_order_acq_rel,
             RACY ? memory_order_relaxed : memory_order_acquire) ||
         expected != 2);
  int seen = data;
  finish(t);
  return seen != 5;
}
