/* A nap in place of a join before memory is freed. */
#include "small.h"

struct job {
  Mutex lock;
  int n;
};
static void *work(void *p) {
  struct job *j = p;
  lock(&j->lock);
  j->n++;
  unlock(&j->lock);
  return 0;
}
int main(void) {
  struct job *j = calloc(1, sizeof *j);
  pthread_mutex_init(&j->lock, 0);
  pthread_t t = start(work, j);
  if (RACY)
    nap(20);
  else
    finish(t);
  int n = j->n;
  free(j);
  return n > 3;
}
