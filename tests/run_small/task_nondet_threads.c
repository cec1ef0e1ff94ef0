/* As many threads as a random number says. */
#include "small.h"

Mutex m = MUTEX;
int total;
static int nondet(void) {
  return rand() % 8 + 2;
}
static void *work(void *a) {
  if (RACY)
    total++;
  else {
    lock(&m);
    total++;
    unlock(&m);
  }
  return a;
}
int main(void) {
  srand((unsigned)getpid());
  int n = nondet();
  for (int i = 0; i < n; i++) pthread_detach(start(work, NULL));
  return 0;
}
