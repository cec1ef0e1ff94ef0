// race: safe; deadlock: safe — only the thread that took the token touches the data
#include <pthread.h>

static int tokens, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *holder(void *arg) {
  pthread_mutex_lock(&lock);
  while (tokens == 0) pthread_cond_wait(&cond, &lock);
  tokens--;
  pthread_mutex_unlock(&lock);
  data++;
  pthread_mutex_lock(&lock);
  tokens++;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, holder, NULL);
  pthread_create(&b, NULL, holder, NULL);
  pthread_mutex_lock(&lock);
  tokens = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data - 2;
}
