// race: safe; deadlock: safe — a function creates the threads and returns their ids, which go into an array
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

static pthread_t start(void) {
  pthread_t id;
  if (pthread_create(&id, NULL, work, NULL) != 0) abort();
  return id;
}

int main(void) {
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++) ids[i] = start();
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  return 0;
}
