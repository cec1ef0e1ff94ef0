/* memset over an array whose last element is somebody else's. */
#include "small.h"

long row[32];
static void *work(void *a) {
  row[31] = 7;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  memset(row, 0, (RACY ? 32 : 31) * sizeof *row);
  finish(t);
  return 0;
}
