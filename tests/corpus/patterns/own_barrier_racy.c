// race: unsafe lines 16 18; deadlock: safe — the own barrier counts arrivals but lets everybody pass
#include <pthread.h>

#define N 2
static int waiting, slot[N], seen[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void meet(void) {
  pthread_mutex_lock(&lock);
  if (++waiting == N) waiting = 0;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  long i = (long)arg;
  slot[i] = (int)i + 1;
  meet();
  seen[i] = slot[1 - i];
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return seen[0] + seen[1] > 3;
}
