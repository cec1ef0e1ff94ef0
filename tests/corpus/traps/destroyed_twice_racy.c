// race: unsafe lines 9 — two threads destroy the same mutex
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  if (arg) return arg;
  pthread_mutex_destroy(&lock);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  if (pthread_create(&t, NULL, work, NULL)) abort();
  if (pthread_create(&u, NULL, work, NULL)) abort();
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
