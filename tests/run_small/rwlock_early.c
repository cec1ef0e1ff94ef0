/* The lock is given back before the last read. */
#include "small.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value;
static void *work(void *a) {
  pthread_rwlock_wrlock(&l);
  value++;
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  int seen = 0;
  pthread_t t = start(work, NULL);
  pthread_rwlock_rdlock(&l);
  if (!RACY) seen = value;
  pthread_rwlock_unlock(&l);
  if (RACY) seen = value;
  finish(t);
  return seen > 1;
}
