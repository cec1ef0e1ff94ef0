// race: unsafe lines 10 11 — the slots of others are read before the barrier
#include <pthread.h>

#define N 3
static int slot[N], sum[N];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  long i = (long)arg;
  slot[i] = (int)i + 1;
  for (int k = 0; k < N; k++) sum[i] += slot[k];
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, NULL, N);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum[0] > 6;
}
