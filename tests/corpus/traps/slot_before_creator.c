// race: safe — the creator prepares each slot before it hands it over, and no other
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
    slot[i] += 10;
    pthread_create(&t[i], NULL, fill, &slot[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 11;
}
