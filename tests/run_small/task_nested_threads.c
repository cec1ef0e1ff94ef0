/* A thread creates another one, and nobody waits for it. */
#include "small.h"

int deep;
static void *leaf(void *p) {
  deep++;
  return p;
}
static void *mid(void *p) {
  pthread_t t = start(leaf, 0);
  if (!RACY) finish(t);
  deep++;
  return p;
}
int main(void) {
  pthread_t t = start(mid, 0);
  finish(t);
  return 0;
}
