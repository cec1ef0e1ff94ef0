/* In each round a thread reads its neighbour's cell, the new one. */
#include "small.h"

pthread_barrier_t b;
int cells[2][3];
static void *work(void *a) {
  int me = (int)(intptr_t)a;
  for (int i = 0; i < 4; i++) {
    int from = RACY ? (i + 1) % 2 : i % 2;
    cells[(i + 1) % 2][me] = cells[from][(me + 1) % 3] + 1;
    pthread_barrier_wait(&b);
  }
  return NULL;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, NULL, 3);
  for (int i = 0; i < 3; i++) t[i] = start(work, (void *)(intptr_t)i);
  for (int i = 0; i < 3; i++) finish(t[i]);
  return 0;
}
