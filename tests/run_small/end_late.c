/* The thread sleeps a while before it does something. */
#include "small.h"

int state;
Mutex m = MUTEX;
static void *work(void *a) {
  nap(30);
  if (!RACY) lock(&m);
  state = 2;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  start(work, NULL);
  if (!RACY) lock(&m);
  state = 1;
  if (!RACY) unlock(&m);
  return 0;
}
