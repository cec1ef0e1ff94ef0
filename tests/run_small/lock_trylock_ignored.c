/* What trylock says is not looked at. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  int got = pthread_mutex_trylock(&m);
  if (RACY || !got) x++;
  if (!got) unlock(&m);
  return p;
}
static void *b(void *p) {
  lock(&m);
  nap(50);
  x++;
  unlock(&m);
  return p;
}
int main(void) {
  pthread_t t = start(b, 0);
  nap(10);
  pthread_t u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
