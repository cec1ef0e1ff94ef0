/* Only a nap orders two threads. */
#include "small.h"

int x;
static void *first(void *p) {
  x = 1;
  return p;
}
static void *second(void *p) {
  nap(100);
  x = 2;
  return p;
}
int main(void) {
  pthread_t a = start(first, 0);
  if (!RACY) finish(a);
  pthread_t b = start(second, 0);
  finish(b);
  if (RACY) finish(a);
  return 0;
}
