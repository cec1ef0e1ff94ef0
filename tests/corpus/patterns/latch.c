// race: safe; deadlock: safe — a latch counts down to the moment when all parts are ready
#include <pthread.h>

#define N 3
static int part[N], missing = N;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;

static void *make(void *arg) {
  long i = (long)arg;
  part[i] = 7;
  pthread_mutex_lock(&lock);
  if (--missing == 0) pthread_cond_signal(&zero);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, make, (void *)i);
  pthread_mutex_lock(&lock);
  while (missing > 0) pthread_cond_wait(&zero, &lock);
  pthread_mutex_unlock(&lock);
  int sum = part[0] + part[1] + part[2];
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum - 21;
}
