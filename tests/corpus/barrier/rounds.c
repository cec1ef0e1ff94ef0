// race: safe; deadlock: safe — rounds with a barrier after the writes and one after the reads
#include <pthread.h>

#define N 2
static int slot[N], sum[N];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  long i = (long)arg;
  for (int round = 0; round < 3; round++) {
    slot[i] += round;
    pthread_barrier_wait(&barrier);
    sum[i] += slot[0] + slot[1];
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, NULL, N);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum[0] - sum[1];
}
