/* Two rows that are the same memory. */
#include "small.h"

int **rows;
static void *work(void *p) {
  rows[(intptr_t)p][0]++;
  return 0;
}
int main(void) {
  rows = malloc(2 * sizeof *rows);
  rows[0] = calloc(1, 4);
  rows[1] = RACY ? rows[0] : calloc(1, 4);
  pthread_t x = start(work, 0), y = start(work, (void *)1);
  finish(x);
  finish(y);
  return 0;
}
