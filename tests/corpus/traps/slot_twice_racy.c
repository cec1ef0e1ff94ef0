// race: unsafe lines 9 — an outer loop hands the same slots to a second group of threads
#include <pthread.h>

#define N 2
static int slot[N];

static void *fill(void *arg) {
  int *mine = arg;
  *mine += 1;
  return NULL;
}

int main(void) {
  pthread_t t[2 * N];
  for (int group = 0; group < 2; group++)
    for (int i = 0; i < N; i++)
      pthread_create(&t[group * N + i], NULL, fill, &slot[i]);
  for (int i = 0; i < 2 * N; i++) pthread_join(t[i], NULL);
  return slot[0] > 2;
}
