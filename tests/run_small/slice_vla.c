/* An array of variable length on the stack. */
#include "small.h"

static void *work(void *p) {
  int *a = p;
  a[0]++;
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  int v[argc + 4];
  memset(v, 0, sizeof v);
  pthread_t x = start(work, v), y = start(work, RACY ? v : v + 1);
  finish(x);
  finish(y);
  return v[0] > 5;
}
