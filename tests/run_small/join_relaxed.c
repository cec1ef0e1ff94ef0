/* A counter of finished threads, with relaxed order. */
#include "small.h"

int result[3];
atomic_int finished;
static void *work(void *a) {
  *(int *)a = 1;
  atomic_fetch_add_explicit(&finished, 1,
                            RACY ? memory_order_relaxed : memory_order_release);
  return NULL;
}
int main(void) {
  for (int i = 0; i < 3; i++) pthread_detach(start(work, &result[i]));
  while (atomic_load_explicit(&finished, memory_order_acquire) < 3) usleep(100);
  return result[0] + result[1] + result[2] != 3;
}
