/* Two halves that are cleared by the library. */
#include "small.h"

char a[64];
static void *low(void *p) {
  memset(a, 1, RACY ? 33 : 32);
  return p;
}
static void *high(void *p) {
  memset(a + 32, 2, 32);
  return p;
}
int main(void) {
  pthread_t x = start(low, 0), y = start(high, 0);
  finish(x);
  finish(y);
  return 0;
}
