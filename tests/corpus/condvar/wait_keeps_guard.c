// race: safe; deadlock: safe — before and after the wait the mutex is held
#include <pthread.h>

static int data, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  data += 1;
  while (!ready) pthread_cond_wait(&cond, &lock);
  data += 2;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&lock);
  data *= 10;
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return data != 12 && data != 3;
}
