/* Three threads at a barrier for two, twice around. */
#include "small.h"

pthread_barrier_t b;
int parts[4];
static void *work(void *a) {
  int me = (int)(intptr_t)a, sum = 0;
  parts[me] = me;
  pthread_barrier_wait(&b);
  for (int i = 0; i < 4; i++) sum += parts[i];
  return sum > 99 ? a : NULL;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&b, NULL, RACY ? 2 : 4);
  for (int i = 0; i < 4; i++) t[i] = start(work, (void *)(intptr_t)i);
  for (int i = 0; i < 4; i++) finish(t[i]);
  return 0;
}
