/* A barrier made of a counter. */
#include "small.h"

atomic_int arrived;
int part[2], other[2];
static void *work(void *p) {
  int me = (int)(intptr_t)p;
  part[me] = 1 + me;
  atomic_fetch_add_explicit(&arrived, 1,
                            RACY ? memory_order_acquire : memory_order_acq_rel);
  while (atomic_load_explicit(&arrived, memory_order_acquire) < 2) {
  }
  other[me] = part[1 - me];
  return 0;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, (void *)1);
  finish(a);
  finish(b);
  return 0;
}
