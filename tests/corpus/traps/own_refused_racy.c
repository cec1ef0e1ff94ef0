// race: unsafe lines 12 — the mutex is a variable of main, and gets its kind with data
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static int data;

static void *worker(void *argument) {
  pthread_mutex_lock(argument);
  int result = pthread_mutex_lock(argument);
  pthread_mutex_unlock(argument);
  if (result == EDEADLK) data++;
  return NULL;
}

int main(void) {
  pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &lock);
  pthread_create(&b, NULL, worker, &lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
