/* One thread walks along a row, the other one down a column. */
#include "small.h"

int cells[6][6];
static void *work(void *a) {
  for (int i = 0; i < 6; i++) cells[i][2]++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  for (int i = 0; i < 6; i++)
    if (RACY || i != 2) cells[4][i]++;
  finish(t);
  return 0;
}
