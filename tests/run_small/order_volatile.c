/* volatile makes no order. */
#include "small.h"

volatile int ready;
atomic_int safe;
int data;
static void *work(void *a) {
  data = 9;
  if (RACY)
    ready = 1;
  else
    safe = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (RACY ? !ready : !safe) {
  }
  int seen = data;
  finish(t);
  return seen != 9;
}
