// race: unsafe lines 7 14 — a mutex is destroyed while it is released
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_destroy(&lock);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&lock); pthread_create(&a, NULL, work, NULL);
  pthread_mutex_unlock(&lock);
  return 0;
}
