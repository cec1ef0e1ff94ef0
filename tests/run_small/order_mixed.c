/* An atomic variable that one side reads plainly. */
#include "small.h"

atomic_int count;
static void *work(void *a) {
  atomic_fetch_add(&count, 1);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  int seen;
  if (RACY)
    memcpy(&seen, (void *)&count, sizeof seen);
  else
    seen = atomic_load(&count);
  finish(t);
  return seen > 1;
}
