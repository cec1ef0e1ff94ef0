/* The lock is released before the last access. */
#include "small.h"

Mutex m = MUTEX;
int a_part, b_part;
static void *work(void *a) {
  lock(&m);
  a_part++;
  if (!RACY) b_part++;
  unlock(&m);
  if (RACY) b_part++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
