/* A spin lock that is unlocked with relaxed order. */
#include "small.h"

atomic_flag busy = ATOMIC_FLAG_INIT;
int count;
static void *work(void *a) {
  for (int i = 0; i < 50; i++) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
    count++;
    atomic_flag_clear_explicit(&busy, RACY ? memory_order_relaxed : memory_order_release);
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  work(NULL);
  finish(t);
  return 0;
}
