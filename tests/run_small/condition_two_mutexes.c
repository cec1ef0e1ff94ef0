/* Both sides lock, but not the same mutex. */
#include "small.h"

Mutex m = MUTEX, n = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *work(void *a) {
  Mutex *mine = RACY ? &n : &m;
  lock(mine);
  ready = 1;
  unlock(mine);
  lock(&m);
  pthread_cond_broadcast(&c);
  unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  unlock(&m);
  finish(t);
  return 0;
}
