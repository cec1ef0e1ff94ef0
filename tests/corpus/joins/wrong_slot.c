// race: safe — the ids are stored from the end, and the matching half is joined
#include <pthread.h>

#define N 4
static int slot[N];

static void *fill(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[N - 1 - i], NULL, fill, &slot[i]);
  for (int i = 0; i < N / 2; i++) pthread_join(t[i], NULL);
  int sum = slot[2] + slot[3];
  for (int i = N / 2; i < N; i++) pthread_join(t[i], NULL);
  return sum - 2;
}
