/* main counts what detached threads have done. */
#include "small.h"

atomic_int done;
int result[3];
static void *w(void *p) {
  result[(intptr_t)p] = 1;
  atomic_fetch_add_explicit(&done, 1, RACY ? memory_order_relaxed : memory_order_release);
  return 0;
}
int main(void) {
  for (intptr_t i = 0; i < 3; i++) pthread_detach(start(w, (void *)i));
  while (atomic_load_explicit(&done, memory_order_acquire) < 3) sched_yield();
  return result[0] + result[1] + result[2] != 3;
}
