// race: unsafe lines 13 — a mutex that checks for errors refuses its owner; unlocked once, it is free
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int data;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int result = pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  if (result == EDEADLK) data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
