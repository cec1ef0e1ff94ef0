// race: safe — a lock that was got by trying is destroyed when all have ended
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m;

static void *work(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_mutex_init(&m, NULL)) abort();
  if (pthread_create(&t, NULL, work, NULL)) abort();
  work(NULL);
  pthread_join(t, NULL);
  pthread_mutex_destroy(&m);
  return 0;
}
