/* main waits for one of its two threads. */
#include "small.h"

int shared;
Mutex m = MUTEX;
static void *work(void *a) {
  lock(&m);
  shared++;
  unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  if (!RACY) finish(u);
  return shared > 2;
}
