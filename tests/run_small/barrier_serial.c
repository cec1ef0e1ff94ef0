/* One of them, the serial thread, writes after the barrier. */
#include "small.h"

pthread_barrier_t b;
int summary;
static void *work(void *a) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) summary = 1;
  if (!RACY) pthread_barrier_wait(&b);
  return summary > 9 ? a : NULL;
}
int main(void) {
  pthread_barrier_init(&b, NULL, 2);
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
