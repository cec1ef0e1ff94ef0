/* A stripe of locks, and an index that is off by one. */
#include "small.h"

enum { STRIPES = 4 };
Mutex stripe[STRIPES] = {MUTEX, MUTEX, MUTEX, MUTEX};
int buckets[8];
static void *work(void *a) {
  for (int i = 0; i < 8; i++) {
    Mutex *m = &stripe[(i + (RACY && a)) % STRIPES];
    lock(m);
    buckets[i]++;
    unlock(m);
  }
  return NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, buckets);
  finish(t);
  finish(u);
  return 0;
}
