/* Everything is guarded but the statistics. */
#include "small.h"

Mutex m = MUTEX;
int work_left = 10, done;
static void *work(void *a) {
  for (bool more = true; more;) {
    lock(&m);
    more = work_left > 0;
    if (more) work_left--;
    if (more && !RACY) done++;
    unlock(&m);
    if (more && RACY) done++;
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
