/* The program crashes at once. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  start(a, 0);
  start(a, 0);
  *(volatile int *)8 = 1;
  return 0;
}
