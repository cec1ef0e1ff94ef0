/* A cache that readers fill. */
#include "small.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int cached;
static void *work(void *a) {
  pthread_rwlock_rdlock(&l);
  int seen = cached;
  if (!seen && RACY) cached = 1;
  pthread_rwlock_unlock(&l);
  if (!seen && !RACY) {
    pthread_rwlock_wrlock(&l);
    cached = 1;
    pthread_rwlock_unlock(&l);
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
