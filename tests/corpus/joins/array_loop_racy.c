// race: unsafe lines 9 18 — the loop of joins starts at the second id and so leaves out one thread
#include <pthread.h>

#define N 4
static int part[N];

static void *fill(void *arg) {
  int *slot = arg;
  *slot = 10;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  int sum = 0;
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, fill, &part[i]);
  for (int i = 1; i < N; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++) sum += part[i];
  pthread_join(t[0], NULL);
  return sum > 10 * N;
}
