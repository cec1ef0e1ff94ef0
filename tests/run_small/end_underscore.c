/* The program leaves by _exit. */
#include "small.h"

int last;
Mutex m = MUTEX;
static void set(int value) {
  if (!RACY) lock(&m);
  last = value;
  if (!RACY) unlock(&m);
}
static void *work(void *a) {
  set(1);
  return a;
}
int main(void) {
  start(work, NULL);
  set(2);
  _exit(0);
}
