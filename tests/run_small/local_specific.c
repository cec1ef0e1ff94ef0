/* Both threads set the same block as their own. */
#include "small.h"

pthread_key_t key;
int common;
static void *work(void *a) {
  int own = 0;
  pthread_setspecific(key, RACY ? &common : &own);
  ++*(int *)pthread_getspecific(key);
  return a;
}
int main(void) {
  pthread_key_create(&key, NULL);
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
