// race: unsafe lines 11 — the lock is given back right before the program ends
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&lock);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_mutex_unlock(&lock);
  exit(0);
}
