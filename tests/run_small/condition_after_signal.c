/* The data is written after the signal. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
static void *work(void *a) {
  if (!RACY) data = 1;
  lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  unlock(&m);
  if (RACY) data = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  unlock(&m);
  int seen = data;
  finish(t);
  return seen > 1;
}
