/* The destructor of thread-specific data counts. */
#include "small.h"

pthread_key_t key;
int ended;
Mutex m = MUTEX;
static void bye(void *a) {
  (void)a;
  if (!RACY) lock(&m);
  ended++;
  if (!RACY) unlock(&m);
}
static void *work(void *a) {
  pthread_setspecific(key, &ended);
  return a;
}
int main(void) {
  pthread_key_create(&key, bye);
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
