/* A handler writes what another thread reads. */
#include "small.h"

int last;
atomic_int safe;
static void handle(int number) {
  if (RACY)
    last = number;
  else
    safe = number;
}
static void *work(void *a) {
  for (int i = 0; i < 5; i++) {
    if ((RACY ? last : safe) > 99) return a;
    nap(2);
  }
  return NULL;
}
int main(void) {
  signal(SIGUSR1, handle);
  pthread_t t = start(work, NULL);
  nap(4);
  pthread_kill(pthread_self(), SIGUSR1);
  finish(t);
  return 0;
}
