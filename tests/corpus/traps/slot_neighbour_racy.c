// race: unsafe lines 9 10 — each thread gets its own element and also writes the one behind it
#include <pthread.h>

#define N 3
static int slot[N + 1];

static void *fill(void *arg) {
  int *mine = arg;
  mine[0] += 1;
  mine[1] += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, fill, &slot[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] - 1;
}
