/* Data changes after the lock was released. */
#include "small.h"

Mutex m = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
bool ready;
int data;
static void *w(void *p) {
  data = 1;
  lock(&m);
  ready = true;
  if (RACY) data = 2;
  pthread_cond_signal(&c);
  unlock(&m);
  if (RACY) data = 3;
  return p;
}
static void *r(void *p) {
  lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  unlock(&m);
  return data ? p : 0;
}
int main(void) {
  pthread_t a = start(r, 0), b = start(w, 0);
  finish(a);
  finish(b);
  return 0;
}
