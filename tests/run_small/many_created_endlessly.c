/* Two hundred detached threads. */
#include "small.h"

Mutex m = MUTEX;
int hits;
static void *work(void *p) {
  if (RACY)
    hits++;
  else {
    lock(&m);
    hits++;
    unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 200; i++) {
    if (pthread_create(&t, 0, work, 0)) break;
    pthread_detach(t);
  }
  return 0;
}
