/* A lock by compare and swap. */
#include "small.h"

int word, cs;
static void *work(void *p) {
  while (!__sync_bool_compare_and_swap(&word, 0, 1)) {
  }
  cs++;
  if (!RACY) __sync_synchronize();
  __atomic_store_n(&word, 0, RACY ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST);
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
