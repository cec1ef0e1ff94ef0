// deadlock: unsafe — producer and consumer share one condition variable and wake the wrong one
#include <pthread.h>

static int full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&cond, &lock);
  full = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&cond, &lock);
  full = 0;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[2 * i], NULL, consumer, NULL);
    pthread_create(&t[2 * i + 1], NULL, producer, NULL);
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
