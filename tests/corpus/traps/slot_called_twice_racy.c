// race: unsafe lines 10 — the function that hands out the slots is called twice
#include <pthread.h>

#define N 2
static int slot[N];
static pthread_t ids[2][N];

static void *fill(void *arg) {
  long i = (long)arg;
  slot[i] += 1;
  return NULL;
}

static void start(pthread_t *to) {
  for (long i = 0; i < N; i++) pthread_create(&to[i], NULL, fill, (void *)i);
}

int main(void) {
  start(ids[0]);
  start(ids[1]);
  for (int i = 0; i < N; i++) {
    pthread_join(ids[0][i], NULL);
    pthread_join(ids[1][i], NULL);
  }
  return slot[0] > 2;
}
