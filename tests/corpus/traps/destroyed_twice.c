// race: safe — one of two threads destroys the mutex
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_destroy(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) abort();
  pthread_join(t, NULL);
  if (pthread_mutex_init(&lock, NULL)) abort();
  work(NULL);
  return 0;
}
