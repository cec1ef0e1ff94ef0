/* A lock with tickets. */
#include "small.h"

atomic_int next, serving;
int cs;
static void *work(void *p) {
  for (int i = 0; i < 4; i++) {
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, RACY ? memory_order_relaxed
                                               : memory_order_acquire) != mine) {
    }
    cs++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
  }
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
