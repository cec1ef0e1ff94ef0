/* Bit-fields of one unit race; those with a unit of their own do not. */
#include "small.h"

struct {
  unsigned a : 4;
#if RACY
  unsigned b : 4;
#else
  unsigned : 0;
  unsigned b : 4;
#endif
} bits;
static void *work(void *a) {
  bits.b = 3;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  bits.a = 5;
  finish(t);
  return bits.a != 5;
}
