/* Between the read lock and the write lock nothing is held. */
#include "small.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value;
static void *work(void *a) {
  pthread_rwlock_rdlock(&l);
  int seen = value;
  pthread_rwlock_unlock(&l);
  if (RACY) value = seen + 1;
  pthread_rwlock_wrlock(&l);
  value++;
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
