/* A half of a union beside the whole of it. */
#include "small.h"

union {
  int whole;
  short half[2];
} u;
int other;
static void *a(void *p) {
  if (RACY)
    u.whole = 1;
  else
    u.half[0] = 1;
  return p;
}
static void *b(void *p) {
  u.half[1] = 2;
  return p;
}
int main(void) {
  start(a, 0);
  start(b, 0);
  pthread_exit(0);
}
