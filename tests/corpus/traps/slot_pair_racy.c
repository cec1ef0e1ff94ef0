// race: unsafe lines 8 13 — two threads in each round, on this round's element and on the next round's
#include <pthread.h>

#define N 3
static int slot[N + 1];

static void *add(void *arg) {
  *(int *)arg += 1;
  return NULL;
}

static void *subtract(void *arg) {
  *(int *)arg -= 1;
  return NULL;
}

int main(void) {
  pthread_t t[N], u[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&t[i], NULL, add, &slot[i]);
    pthread_create(&u[i], NULL, subtract, &slot[i + 1]);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], NULL);
    pthread_join(u[i], NULL);
  }
  return slot[0] - 1;
}
