/* A lock that is taken only when somebody thinks it is needed. */
#include "small.h"

Mutex m = MUTEX;
int threads, value;
static void add(bool alone) {
  if (!alone || !RACY) lock(&m);
  value++;
  if (!alone || !RACY) unlock(&m);
}
static void *work(void *a) {
  add(false);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  add(true);
  finish(t);
  return 0;
}
