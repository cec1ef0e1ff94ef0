// deadlock: unsafe — a worker waits for a lock whose holder joins the worker's own creator
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *boss(void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, boss, NULL);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&lock);
  return 0;
}
