/* The barrier comes before the write instead of behind it. */
#include "small.h"

pthread_barrier_t b;
int left, right;
static void *work(void *a) {
  if (RACY) pthread_barrier_wait(&b);
  left = 1;
  if (!RACY) pthread_barrier_wait(&b);
  return right > 9 ? a : NULL;
}
int main(void) {
  pthread_barrier_init(&b, NULL, 2);
  pthread_t t = start(work, NULL);
  pthread_barrier_wait(&b);
  int seen = left;
  finish(t);
  return seen > 1;
}
