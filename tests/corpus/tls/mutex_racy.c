// race: unsafe lines 9 — a thread-local mutex is a different one in every thread
#include <pthread.h>

static int value;
static _Thread_local pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
