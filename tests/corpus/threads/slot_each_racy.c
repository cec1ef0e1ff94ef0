// race: unsafe lines 8 9 16 — the loop variable itself is handed to the threads
#include <pthread.h>

#define N 3
static int slot[N + 1];

static void *fill(void *arg) {
  int i = *(int *)arg;
  slot[i] += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  int i;
  for (i = 0; i < N; i++)
    pthread_create(&t[i], NULL, fill, &i);
  for (int k = 0; k < N; k++) pthread_join(t[k], NULL);
  return slot[0] > N;
}
