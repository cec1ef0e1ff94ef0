/* A lock that comes too late. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += 1000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_sec++;
    at.tv_nsec -= 1000000000;
  }
  int got = pthread_mutex_timedlock(&m, &at);
  if (RACY || !got) x++;
  if (!got) unlock(&m);
  return p;
}
static void *b(void *p) {
  lock(&m);
  nap(60);
  x++;
  unlock(&m);
  return p;
}
int main(void) {
  pthread_t t = start(b, 0);
  nap(10);
  pthread_t u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
