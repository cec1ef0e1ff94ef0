/* Threads that detach themselves. */
#include "small.h"

unsigned hits;
Mutex m = MUTEX;
static void *work(void *a) {
  pthread_detach(pthread_self());
  if (!RACY) lock(&m);
  hits++;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  for (int i = 0; i < 3; i++) start(work, NULL);
  return 0;
}
