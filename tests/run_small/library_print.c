/* printf of a shared variable. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  if (!RACY) lock(&m);
  x = 1;
  if (!RACY) unlock(&m);
  return p;
}
static void *b(void *p) {
  if (!RACY) lock(&m);
  printf("%d\n", x);
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  start(a, 0);
  start(b, 0);
  pthread_exit(0);
}
