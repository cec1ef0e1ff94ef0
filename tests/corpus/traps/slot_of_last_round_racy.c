// race: unsafe lines 9 16 — before it hands over a slot, the creator counts in the one before
#include <pthread.h>

#define N 3
static int slot[N + 1];

static void *fill(void *arg) {
  int *mine = arg;
  *mine += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    if (i) slot[i - 1] += 10;
    pthread_create(&t[i], NULL, fill, &slot[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 11;
}
