/* Waiting for a plain variable is no join. */
#include "small.h"

int done, result;
atomic_int safe;
static void *work(void *a) {
  result = 3;
  if (RACY)
    *(volatile int *)&done = 1;
  else
    safe = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (RACY ? !*(volatile int *)&done : !safe) usleep(100);
  int seen = result;
  finish(t);
  return seen != 3;
}
