/* The main thread ends first, by pthread_exit. */
#include "small.h"

long sum;
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  sum += 3;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  start(work, NULL);
  start(work, NULL);
  pthread_exit(NULL);
}
