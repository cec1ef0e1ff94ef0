/* Both format into one buffer. */
#include "small.h"

char line[64];
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  snprintf(line, sizeof line, "thread %p", a);
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
