/* A local array of main, of which a thread gets the address. */
#include "small.h"

static void *work(void *a) {
  ((int *)a)[1] = 4;
  return NULL;
}
int main(void) {
  int local[2] = {0};
  pthread_t t = start(work, local);
  local[RACY] = 3;
  finish(t);
  return local[0] > 4;
}
