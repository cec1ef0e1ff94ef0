/* Whether there is a lock is decided at run time. */
#include "small.h"

Mutex m = MUTEX;
int cell, safe = !RACY;
static void *work(void *p) {
  int s = safe;
  if (s) lock(&m);
  cell++;
  if (s) unlock(&m);
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
