// race: safe; deadlock: safe — own slots before the barrier, all slots after it
#include <pthread.h>

#define N 3
static int slot[N], sum[N];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  long i = (long)arg;
  slot[i] = (int)i + 1;
  pthread_barrier_wait(&barrier);
  for (int k = 0; k < N; k++) sum[i] += slot[k];
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, NULL, N);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  pthread_barrier_destroy(&barrier);
  return sum[0] + sum[1] + sum[2] - 18;
}
