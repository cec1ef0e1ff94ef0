/* A handler in main asks a thread to stop, by a plain variable. */
#include "small.h"

volatile sig_atomic_t stop;
atomic_int safe;
static void handle(int number) {
  (void)number;
  if (RACY)
    stop = 1;
  else
    safe = 1;
}
static void *work(void *a) {
  while (RACY ? !stop : !safe) nap(1);
  return a;
}
int main(void) {
  signal(SIGALRM, handle);
  pthread_t t = start(work, NULL);
  nap(5);
  raise(SIGALRM);
  finish(t);
  return 0;
}
