/* What is done at exit. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void at_end(void) {
  if (!RACY) lock(&m);
  x = 2;
  if (!RACY) unlock(&m);
}
static void *a(void *p) {
  if (!RACY) lock(&m);
  x = 1;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  atexit(at_end);
  start(a, 0);
  return 0;
}
