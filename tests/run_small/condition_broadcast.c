/* After a broadcast the sender changes what the woken ones read. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go, round_number;
static void *work(void *a) {
  lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  unlock(&m);
  return round_number > 9 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  lock(&m);
  go = 1;
  if (!RACY) round_number = 1;
  pthread_cond_broadcast(&c);
  unlock(&m);
  if (RACY) round_number = 1;
  finish(t);
  finish(u);
  return 0;
}
