// race: unsafe lines 9 — the counter that deals the slots starts again from the front
#include <pthread.h>

#define N 4
static int slot[2];

static void *fill(void *arg) {
  int *mine = arg;
  *mine += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  int next = 0;
  for (int i = 0; i < N; i++) {
    pthread_create(&t[i], NULL, fill, &slot[next]);
    next = next == 1 ? 0 : next + 1;
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 2;
}
