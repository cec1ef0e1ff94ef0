/* A lock for each cell, and the wrong one. */
#include "small.h"

Mutex ms[4] = {MUTEX, MUTEX, MUTEX, MUTEX};
int cells[4];
static void *work(void *p) {
  int base = (int)(intptr_t)p;
  for (int i = 0; i < 8; i++) {
    int c = (i + base) % 4, l = RACY ? i % 4 : c;
    lock(&ms[l]);
    cells[c]++;
    unlock(&ms[l]);
  }
  return 0;
}
int main(void) {
  pthread_t x = start(work, 0), y = start(work, (void *)1);
  finish(x);
  finish(y);
  return 0;
}
