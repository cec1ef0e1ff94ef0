/* That trylock fails is not looked at. */
#include "small.h"

Mutex m = MUTEX;
int shared;
static void *work(void *a) {
  lock(&m);
  shared = 1;
  nap(30);
  shared = 2;
  unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  nap(10);
  int code = pthread_mutex_trylock(&m);
  if (RACY || code == 0) shared++;
  if (code == 0) unlock(&m);
  finish(t);
  return 0;
}
