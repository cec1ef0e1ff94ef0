/* A mailbox by exchange. */
#include "small.h"

int letter;
atomic_int box;
static void *work(void *a) {
  letter = 11;
  atomic_exchange_explicit(&box, 1, RACY ? memory_order_relaxed : memory_order_acq_rel);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (!atomic_exchange_explicit(&box, 0, memory_order_acq_rel)) {
  }
  int seen = letter;
  finish(t);
  return seen != 11;
}
