/* Two slices of an array that overlap by one. */
#include "small.h"

int a[100];
static void *fill(void *p) {
  int from = (int)(intptr_t)p;
  for (int i = from; i < from + 50 + RACY && i < 100; i++) a[i] = i;
  return 0;
}
int main(void) {
  pthread_t x = start(fill, 0), y = start(fill, (void *)50);
  finish(x);
  finish(y);
  return 0;
}
