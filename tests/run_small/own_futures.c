/* A value that is set after it was announced. */
#include "small.h"

struct future {
  Mutex lock;
  pthread_cond_t c;
  bool set;
  int v;
} f = {MUTEX, PTHREAD_COND_INITIALIZER, false, 0};
static void *w(void *p) {
  if (RACY) {
    f.v = 1;
    lock(&f.lock);
    f.set = true;
    unlock(&f.lock);
    pthread_cond_broadcast(&f.c);
    f.v = 2;
  } else {
    lock(&f.lock);
    f.v = 2;
    f.set = true;
    unlock(&f.lock);
    pthread_cond_broadcast(&f.c);
  }
  return p;
}
int main(void) {
  pthread_detach(start(w, 0));
  lock(&f.lock);
  while (!f.set) pthread_cond_wait(&f.c, &f.lock);
  unlock(&f.lock);
  return f.v > 2;
}
