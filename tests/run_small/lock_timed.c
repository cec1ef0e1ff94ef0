/* The lock did not come in time. */
#include "small.h"

Mutex m = MUTEX;
int shared;
static void *work(void *a) {
  lock(&m);
  shared = 1;
  nap(40);
  shared = 2;
  unlock(&m);
  return a;
}
int main(void) {
  struct timespec until;
  pthread_t t = start(work, NULL);
  nap(10);
  clock_gettime(CLOCK_REALTIME, &until);
  int code = pthread_mutex_timedlock(&m, &until);
  if (RACY || code == 0) shared++;
  if (code == 0) unlock(&m);
  finish(t);
  return 0;
}
