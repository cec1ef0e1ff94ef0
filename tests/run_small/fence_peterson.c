/* The algorithm of Peterson. */
#include "small.h"

atomic_int want[2], turn;
int cs;
#define MO (RACY ? memory_order_relaxed : memory_order_seq_cst)
static void *work(void *p) {
  int me = (int)(intptr_t)p, you = 1 - me;
  for (int i = 0; i < 3; i++) {
    atomic_store_explicit(&want[me], 1, MO);
    atomic_store_explicit(&turn, you, MO);
    while (atomic_load_explicit(&want[you], MO) &&
           atomic_load_explicit(&turn, MO) == you) {
    }
    cs++;
    atomic_store_explicit(&want[me], 0, MO);
  }
  return 0;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, (void *)1);
  finish(a);
  finish(b);
  return 0;
}
