/* Whether the queue is empty is asked without its lock. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int size;
static void *work(void *a) {
  for (int i = 0; i < 4; i++) {
    lock(&m);
    size++;
    pthread_cond_signal(&c);
    unlock(&m);
  }
  return a;
}
int main(void) {
  int taken = 0;
  pthread_t t = start(work, NULL);
  while (taken < 4) {
    if (RACY && size > 100) break;
    lock(&m);
    while (!size) pthread_cond_wait(&c, &m);
    size--;
    taken++;
    unlock(&m);
  }
  finish(t);
  return 0;
}
