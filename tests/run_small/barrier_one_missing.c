/* The second barrier of each round is missing. */
#include "small.h"

pthread_barrier_t b;
int value;
static void *work(void *a) {
  for (int i = 0; i < 3; i++) {
    pthread_barrier_wait(&b);
    if (value > 9) abort();
    if (!RACY) pthread_barrier_wait(&b);
  }
  return a;
}
int main(void) {
  pthread_barrier_init(&b, NULL, 2);
  pthread_t t = start(work, NULL);
  for (int i = 0; i < 3; i++) {
    value = i;
    pthread_barrier_wait(&b);
    if (!RACY) pthread_barrier_wait(&b);
  }
  finish(t);
  return 0;
}
