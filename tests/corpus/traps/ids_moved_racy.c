// race: unsafe lines 10 23 — an id is moved inside the array before the loop of joins
#include <pthread.h>

#define N 3
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *idle(void *arg) { return arg; }

int main(void) {
  pthread_t t[N], extra;
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, add, NULL);
  pthread_create(&extra, NULL, idle, NULL);
  t[1] = extra;
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum > N;
}
