// race: unsafe lines 10 19 — the loop of joins steps by two
#include <pthread.h>

#define N 4
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
  for (int i = 0; i < N; i += 2) pthread_join(t[i], NULL);
  return sum > N;
}
