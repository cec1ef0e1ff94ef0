/* Each thread has its own lock. */
#include "small.h"

Mutex m = MUTEX, n = MUTEX;
int shared;
static void *work(void *a) {
  lock(&m);
  shared++;
  unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  lock(RACY ? &n : &m);
  shared++;
  unlock(RACY ? &n : &m);
  finish(t);
  return 0;
}
