/* The bakery of Lamport, with volatile variables. */
#include "small.h"

#if RACY
volatile int choosing[3], number[3];
#else
atomic_int choosing[3], number[3];
#endif
int cs;
static void *work(void *p) {
  int me = (int)(intptr_t)p;
  choosing[me] = 1;
  int top = 0;
  for (int i = 0; i < 3; i++) {
    int v = number[i];
    if (v > top) top = v;
  }
  number[me] = top + 1;
  choosing[me] = 0;
  for (int i = 0; i < 3; i++) {
    while (choosing[i]) {
    }
    while (number[i] && (number[i] < number[me] || (number[i] == number[me] && i < me))) {
    }
  }
  cs++;
  number[me] = 0;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) t[i] = start(work, (void *)(intptr_t)i);
  for (int i = 0; i < 3; i++) finish(t[i]);
  return 0;
}
