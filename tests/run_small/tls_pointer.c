/* The address of a thread-local variable is given away. */
#include "small.h"

Mutex m = MUTEX;
_Thread_local int mine;
int *published;
static void *a(void *p) {
  lock(&m);
  published = &mine;
  unlock(&m);
  if (RACY) mine = 5;
  nap(30);
  return p;
}
static void *b(void *p) {
  nap(5);
  lock(&m);
  int *q = published;
  if (q) *q = 3;
  unlock(&m);
  return p;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(b, 0);
  finish(u);
  finish(t);
  return 0;
}
