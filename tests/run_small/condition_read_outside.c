/* What the condition is about is read again outside of the mutex. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;
static void *work(void *a) {
  for (int i = 0; i < 3; i++) {
    lock(&m);
    items++;
    pthread_cond_signal(&c);
    unlock(&m);
  }
  return a;
}
int main(void) {
  int seen;
  pthread_t t = start(work, NULL);
  lock(&m);
  while (!items) pthread_cond_wait(&c, &m);
  if (!RACY) seen = items;
  unlock(&m);
  if (RACY) seen = items;
  finish(t);
  return seen > 3;
}
