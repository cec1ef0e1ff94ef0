// deadlock: safe; race: safe — the thread releases the lock on every way to its end
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg) {
  pthread_mutex_lock(&lock);
  if (value == 0) {
    value = 1;
    pthread_mutex_unlock(&lock);
    pthread_exit(NULL);
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, careful, NULL);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return value > 2;
}
