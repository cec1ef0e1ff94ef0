/* The time is over, and the data is read all the same. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
static void *work(void *a) {
  nap(30);
  data = 1;
  lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  unlock(&m);
  return a;
}
int main(void) {
  struct timespec until;
  int seen = 0;
  pthread_t t = start(work, NULL);
  clock_gettime(CLOCK_REALTIME, &until);
  lock(&m);
  pthread_cond_timedwait(&c, &m, &until);
  bool there = ready;
  unlock(&m);
  if (RACY || there) seen = data;
  finish(t);
  return seen > 1;
}
