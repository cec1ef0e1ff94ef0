/* realloc beside a reader. */
#include "small.h"

Mutex m = MUTEX;
int *a;
static void *grow(void *p) {
  if (!RACY) lock(&m);
  a = realloc(a, 4096);
  if (!RACY) unlock(&m);
  return p;
}
static void *read_it(void *p) {
  if (!RACY) lock(&m);
  int v = a[0];
  if (!RACY) unlock(&m);
  return v ? p : 0;
}
int main(void) {
  a = calloc(4, 4);
  pthread_t x = start(read_it, 0), y = start(grow, 0);
  finish(x);
  finish(y);
  return 0;
}
