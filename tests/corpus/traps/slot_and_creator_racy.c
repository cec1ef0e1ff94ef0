// race: unsafe lines 9 17 — the creator still counts in the slot that it has handed over
#include <pthread.h>

#define N 3
static int slot[N];

static void *fill(void *arg) {
  int *mine = arg;
  *mine += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&t[i], NULL, fill, &slot[i]);
    slot[i] += 10;
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 11;
}
