// race: safe; deadlock: safe — a mutex is destroyed when the thread that took it has ended
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_mutex_destroy(&lock);
  return 0;
}
