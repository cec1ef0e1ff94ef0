/* Only the writer locks. */
#include "small.h"

Mutex m = MUTEX;
int shared;
static void *work(void *a) {
  lock(&m);
  shared = 1;
  unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (!RACY) lock(&m);
  int seen = shared;
  if (!RACY) unlock(&m);
  finish(t);
  return seen > 1;
}
