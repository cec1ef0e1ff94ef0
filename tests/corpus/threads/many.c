// race: safe — twenty detached threads and one lock
#include <pthread.h>

#define N 20
static int finished;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  finished++;
  if (finished == N) pthread_cond_signal(&all);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < N; i++) {
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
  }
  pthread_mutex_lock(&lock);
  while (finished < N) pthread_cond_wait(&all, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
