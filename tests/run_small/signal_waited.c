/* A thread waits for signals and counts them. */
#include "small.h"

int seen;
Mutex m = MUTEX;
sigset_t set;
static void *work(void *a) {
  int number;
  sigwait(&set, &number);
  if (!RACY) lock(&m);
  seen++;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t t = start(work, NULL);
  kill(getpid(), SIGUSR2);
  if (!RACY) lock(&m);
  seen++;
  if (!RACY) unlock(&m);
  finish(t);
  return 0;
}
