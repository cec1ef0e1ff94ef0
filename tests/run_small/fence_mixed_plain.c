/* A plain store beside atomic additions. */
#include "small.h"

atomic_int n;
static void *work(void *p) {
  if (RACY && p)
    *(volatile int *)&n = 1;
  else
    atomic_fetch_add(&n, 1);
  return 0;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, &n);
  finish(a);
  finish(b);
  return 0;
}
