/* A block is moved by realloc while another thread writes into it. */
#include "small.h"

int *block;
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  block[0] = 1;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  block = calloc(4, sizeof *block);
  pthread_t t = start(work, NULL);
  nap(10);
  if (!RACY) lock(&m);
  block = realloc(block, 4096);
  if (!RACY) unlock(&m);
  finish(t);
  free(block);
  return 0;
}
