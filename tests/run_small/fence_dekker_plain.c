/* The algorithm of Dekker, with volatile variables. */
#include "small.h"

#if RACY
volatile int want[2], turn;
#else
atomic_int want[2], turn;
#endif
int cs;
static void *work(void *p) {
  int me = (int)(intptr_t)p, you = 1 - me;
  want[me] = 1;
  while (want[you]) {
    if (turn != me) {
      want[me] = 0;
      while (turn != me) {
      }
      want[me] = 1;
    }
  }
  cs++;
  turn = you;
  want[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, (void *)1);
  finish(a);
  finish(b);
  return 0;
}
