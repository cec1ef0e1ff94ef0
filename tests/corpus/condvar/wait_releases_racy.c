// race: unsafe lines 15 29; deadlock: safe — after the wait only the other mutex is still held
#include <pthread.h>

static int data, ready;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  data = 1;
  while (!ready) pthread_cond_wait(&cond, &inner);
  pthread_mutex_unlock(&inner);
  data = 2;
  pthread_mutex_unlock(&outer);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&inner);
  data = 3;
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&inner);
  pthread_mutex_lock(&inner);
  data = 4;
  pthread_mutex_unlock(&inner);
  pthread_join(t, NULL);
  return data > 4;
}
