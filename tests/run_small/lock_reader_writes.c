/* Who holds the lock for reading writes. */
#include "small.h"

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void *a(void *p) {
  if (RACY)
    pthread_rwlock_rdlock(&rw);
  else
    pthread_rwlock_wrlock(&rw);
  x++;
  pthread_rwlock_unlock(&rw);
  return p;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
