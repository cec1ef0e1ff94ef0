// race: safe — a function returns the mutex to use
#include <pthread.h>

static int value;
static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t *lock_of_value(void) { return &the_lock; }

static void *bump(void *arg) {
  pthread_mutex_lock(lock_of_value());
  value++;
  pthread_mutex_unlock(lock_of_value());
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_mutex_t *m = lock_of_value();
  pthread_mutex_lock(m);
  value--;
  pthread_mutex_unlock(m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 1;
}
