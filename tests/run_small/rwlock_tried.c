/* That tryrdlock fails is not looked at. */
#include "small.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value;
static void *work(void *a) {
  pthread_rwlock_wrlock(&l);
  value = 1;
  nap(30);
  value = 2;
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  int seen = 0;
  pthread_t t = start(work, NULL);
  nap(10);
  int code = pthread_rwlock_tryrdlock(&l);
  if (RACY || code == 0) seen = value;
  if (code == 0) pthread_rwlock_unlock(&l);
  finish(t);
  return seen > 2;
}
