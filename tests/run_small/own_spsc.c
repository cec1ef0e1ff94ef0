/* A queue for one producer and one consumer, with volatile indices. */
#include "small.h"

#if RACY
volatile unsigned head, tail;
#else
atomic_uint head, tail;
#endif
int q[4];
static void *w(void *p) {
  for (unsigned i = 0; i < 20; i++) {
    while (head - tail == 4) {
    }
    q[head % 4] = (int)i;
    head = head + 1;
  }
  return p;
}
static void *r(void *p) {
  for (int i = 0; i < 20; i++) {
    while (head == tail) {
    }
    if (q[tail % 4] != i) abort();
    tail = tail + 1;
  }
  return p;
}
int main(void) {
  pthread_t a = start(w, 0), b = start(r, 0);
  finish(a);
  finish(b);
  return 0;
}
