/* main returns while its two threads have hardly begun. */
#include "small.h"

int count;
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  count++;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  start(work, NULL);
  start(work, NULL);
  return 0;
}
