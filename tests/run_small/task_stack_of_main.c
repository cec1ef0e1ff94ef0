/* An array on the stack of main, of which a thread gets the address. */
#include "small.h"

static void *work(void *p) {
  ((int *)p)[3] = 7;
  return 0;
}
int main(void) {
  int local[8] = {0};
  pthread_t t = start(work, local);
  int sum = RACY ? local[3] : local[4];
  finish(t);
  return sum > 100;
}
