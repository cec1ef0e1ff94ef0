/* A write under the read lock. */
#include "small.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int hits;
static void *work(void *a) {
  if (RACY)
    pthread_rwlock_rdlock(&l);
  else
    pthread_rwlock_wrlock(&l);
  hits++;
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
