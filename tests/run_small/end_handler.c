/* What runs at exit reads what a thread writes. */
#include "small.h"

int log_size;
Mutex m = MUTEX;
static void report(void) {
  if (!RACY) lock(&m);
  int size = log_size;
  if (!RACY) unlock(&m);
  if (size > 100) puts("long");
}
static void *work(void *a) {
  nap(5);
  if (!RACY) lock(&m);
  log_size++;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  atexit(report);
  start(work, NULL);
  return 0;
}
