// race: unsafe lines 7 18 — the object of the last round is no longer new: it was handed to a thread
#include <pthread.h>
#include <stdlib.h>

static void *use(void *arg) {
  int *cell = arg;
  *cell += 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int *last = NULL;
  for (int i = 0; i < 2; i++) {
    int *cell = malloc(sizeof *cell);
    if (!cell) return 1;
    *cell = i;
    if (last) *last = 10;
    pthread_create(&t[i], NULL, use, cell);
    last = cell;
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
