/* Bit fields in one unit of memory. */
#include "small.h"

struct {
  unsigned a : 4;
#if !RACY
  unsigned : 0;
#endif
  unsigned b : 4;
} s;
static void *wa(void *p) {
  s.a = 3;
  return p;
}
static void *wb(void *p) {
  s.b = 5;
  return p;
}
int main(void) {
  pthread_t x = start(wa, 0), y = start(wb, 0);
  finish(x);
  finish(y);
  return 0;
}
