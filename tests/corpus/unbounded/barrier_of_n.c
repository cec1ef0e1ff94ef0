// race: safe — a barrier of n: each thread writes its own slot, then one of them reads them all
#include <pthread.h>

enum { N = 4 };

static int slot[N], sum;
static pthread_barrier_t barrier;

static void *work(void *arg) {
  int me = (int)(long)arg;
  slot[me] = me;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    sum = slot[0] + slot[1] + slot[2] + slot[3];
  pthread_barrier_wait(&barrier);
  return sum ? &slot : NULL;
}

int main(void) {
  pthread_t id[N];
  pthread_barrier_init(&barrier, NULL, N);
  for (long i = 0; i < N; i++) pthread_create(&id[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(id[i], NULL);
  return sum - 6;
}
