/* An atomic flag that is cleared with relaxed order. */
#include "small.h"

atomic_flag f = ATOMIC_FLAG_INIT;
int cs;
static void *work(void *p) {
  for (int i = 0; i < 5; i++) {
    while (atomic_flag_test_and_set_explicit(&f, memory_order_acquire)) {
    }
    cs++;
    atomic_flag_clear_explicit(&f, RACY ? memory_order_relaxed : memory_order_release);
  }
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
