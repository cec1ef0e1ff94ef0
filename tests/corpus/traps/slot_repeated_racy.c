// race: unsafe lines 8 — one round of the loop is repeated, so that two threads get the same element
#include <pthread.h>

#define N 3
static int slot[N];

static void *fill(void *arg) {
  *(int *)arg += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  int made = 0, repeated = 0;
  for (int i = 0; i < N; i++) {
    pthread_create(&t[made++], NULL, fill, &slot[i]);
    if (i == 1 && !repeated) {
      repeated = 1;
      i--;
    }
  }
  for (int i = 0; i < made; i++) pthread_join(t[i], NULL);
  return slot[0] - 1;
}
