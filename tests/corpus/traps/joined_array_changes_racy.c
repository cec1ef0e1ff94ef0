// race: unsafe lines 10 28 — inside the loop that joins, the array of ids is exchanged
#include <pthread.h>

#define N 2
static int value[2 * N];
static pthread_t first[N], second[N];

static void *work(void *arg) {
  int *mine = arg;
  *mine = 1;
  return NULL;
}

static void *other(void *arg) {
  return arg;
}

int main(void) {
  pthread_t *ids = second;
  for (int i = 0; i < N; i++) pthread_create(&first[i], NULL, work, &value[i]);
  for (int i = 0; i < N; i++) pthread_create(&second[i], NULL, other, NULL);
  pthread_t spare = first[0];
  for (int i = 0; i < N; i++) {
    if (i) ids[i] = second[i];
    pthread_join(ids[i], NULL);
    if (i == N - 1) ids = first;
  }
  value[1] = 2;
  pthread_join(ids[1], NULL);
  pthread_join(spare, NULL);
  return 0;
}
