/* It polls under a lock, and reads without. */
#include "small.h"

Mutex m = MUTEX;
int done, result;
static void *work(void *a) {
  lock(&m);
  done = 1;
  if (!RACY) result = 4;
  unlock(&m);
  if (RACY) result = 4;
  return a;
}
int main(void) {
  int seen = 0;
  pthread_t t = start(work, NULL);
  while (!seen) {
    lock(&m);
    seen = done;
    unlock(&m);
  }
  seen = result;
  finish(t);
  return seen > 4;
}
