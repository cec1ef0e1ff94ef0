/* A recursive lock that is left once too often. */
#include "small.h"

Mutex m;
int value;
static void twice(void) {
  lock(&m);
  lock(&m);
  unlock(&m);
  if (RACY) unlock(&m);
  value++;
  if (!RACY) unlock(&m);
}
static void *work(void *a) {
  twice();
  return a;
}
int main(void) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &how);
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
