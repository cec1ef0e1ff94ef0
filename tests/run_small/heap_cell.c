/* A counter in a block that two threads share. */
#include "small.h"

Mutex m = MUTEX;
static void *work(void *a) {
  int *cell = a;
  if (!RACY) lock(&m);
  ++*cell;
  if (!RACY) unlock(&m);
  return NULL;
}
int main(void) {
  int *cell = calloc(1, sizeof *cell);
  pthread_t t = start(work, cell), u = start(work, cell);
  finish(t);
  finish(u);
  free(cell);
  return 0;
}
