/* The predicate is set without the mutex. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *work(void *a) {
  if (!RACY) lock(&m);
  ready = 1;
  if (RACY) lock(&m);
  pthread_cond_signal(&c);
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
