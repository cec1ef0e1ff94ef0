/* main writes after it has made the reader, and returns. */
#include "small.h"

int ready;
int copy;
static void *work(void *a) {
  copy = ready;
  return a;
}
int main(void) {
  if (!RACY) ready = 1;
  start(work, NULL);
  if (RACY) ready = 1;
  return 0;
}
