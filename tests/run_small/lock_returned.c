/* A function gives out the address of what it guards. */
#include "small.h"

Mutex m = MUTEX;
int value;
static int *get(void) {
  lock(&m);
  int *p = &value;
  unlock(&m);
  return p;
}
static void *work(void *a) {
  int *p = get();
  if (!RACY) lock(&m);
  ++*p;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
