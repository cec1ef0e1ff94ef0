/* A handler of cancellation releases the lock. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void release(void *p) {
  unlock(p);
}
static void *a(void *p) {
  lock(&m);
  pthread_cleanup_push(release, &m);
  if (!RACY) x++;
  pthread_testcancel();
  pthread_cleanup_pop(1);
  if (RACY) x++;
  return p;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
