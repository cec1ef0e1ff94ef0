/* An atomic section made of a lock, and an access beside it. */
#include "small.h"

Mutex m = MUTEX;
int turn, shared;
static void __VERIFIER_atomic_begin(void) {
  lock(&m);
}
static void __VERIFIER_atomic_end(void) {
  unlock(&m);
}
static void *work(void *a) {
  __VERIFIER_atomic_begin();
  turn = 1 - turn;
  __VERIFIER_atomic_end();
  if (!RACY) __VERIFIER_atomic_begin();
  shared = turn;
  if (!RACY) __VERIFIER_atomic_end();
  return a;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
