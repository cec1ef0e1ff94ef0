/* Even and odd elements. */
#include "small.h"

int a[64];
static void *fill(void *p) {
  int k = (int)(intptr_t)p;
  for (int i = k; i < 64; i += RACY && k ? 1 : 2) a[i]++;
  return 0;
}
int main(void) {
  pthread_t x = start(fill, 0), y = start(fill, (void *)1);
  finish(x);
  finish(y);
  return 0;
}
