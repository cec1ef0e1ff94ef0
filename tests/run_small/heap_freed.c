/* A block is freed while a thread may still read it. */
#include "small.h"

static void *work(void *a) {
  int *block = a;
  return block[3] > 5 ? a : NULL;
}
int main(void) {
  int *block = calloc(8, sizeof *block);
  pthread_t t = start(work, block);
  if (!RACY) finish(t);
  nap(10);
  free(block);
  if (RACY) finish(t);
  return 0;
}
