/* A helper releases the lock of its caller for a while. */
#include "small.h"

Mutex m = MUTEX;
int cell;
static void helper(void) {
  unlock(&m);
  if (RACY) cell++;
  lock(&m);
  if (!RACY) cell++;
}
static void *work(void *p) {
  lock(&m);
  helper();
  unlock(&m);
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
