/* Threads that spin for ever when main returns. */
#include "small.h"

Mutex m = MUTEX;
atomic_int go;
int x;
static void *a(void *p) {
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  while (!atomic_load(&go)) {
  }
  return p;
}
int main(void) {
  start(a, 0);
  start(a, 0);
  nap(10);
  return 0;
}
