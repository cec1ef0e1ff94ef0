/* The pool is told to stop by a plain variable. */
#include "small.h"

int stop;
Mutex m = MUTEX;
static void *work(void *a) {
  for (int i = 0; i < 1000; i++) {
    if (!RACY) lock(&m);
    int now = stop;
    if (!RACY) unlock(&m);
    if (now) return a;
    usleep(200);
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  nap(5);
  if (!RACY) lock(&m);
  stop = 1;
  if (!RACY) unlock(&m);
  finish(t);
  return 0;
}
