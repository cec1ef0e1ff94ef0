// race: unsafe lines 9 10 — each thread writes its own slot and reads the one of its neighbour
#include <pthread.h>

#define N 3
static int slot[N], sum[N];

static void *work(void *arg) {
  long i = (long)arg;
  slot[i] = (int)i + 1;
  sum[i] = slot[(i + 1) % N];
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum[0] + sum[1] + sum[2] > 6;
}
