/* All threads are joined but the first. */
#include "small.h"

int sums[4];
static void *work(void *p) {
  *(int *)p += 3;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) t[i] = start(work, &sums[i]);
  for (int i = RACY; i < 4; i++) finish(t[i]);
  int s = 0;
  for (int i = 0; i < 4; i++) s += sums[i];
  return s == 0;
}
