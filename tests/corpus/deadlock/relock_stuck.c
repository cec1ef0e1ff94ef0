// deadlock: unsafe — a function locks the mutex that its caller already holds
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  pthread_mutex_lock(&lock);
  int result = value;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  if (get() == 0) value = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return value;
}
