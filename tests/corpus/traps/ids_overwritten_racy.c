// race: unsafe lines 10 20 — a second loop of creations overwrites the ids of the first
#include <pthread.h>

#define N 2
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum > 2 * N;
}
