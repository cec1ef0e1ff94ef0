// race: unsafe lines 7 14 — a condition is destroyed while a thread waits for it
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER; static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&lock), pthread_cond_wait(&cond, &lock);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_cond_destroy(&cond);
  return 0;
}
