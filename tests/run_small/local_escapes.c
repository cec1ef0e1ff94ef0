/* The address of a thread-local variable is given away. */
#include "small.h"

static _Thread_local int mine;
int *_Atomic theirs;
atomic_int done;
static void *work(void *a) {
  theirs = &mine;
  if (RACY) mine++;
  while (!done) {
  }
  if (!RACY) mine++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (!theirs) {
  }
  *theirs += 1;
  done = 1;
  finish(t);
  return 0;
}
