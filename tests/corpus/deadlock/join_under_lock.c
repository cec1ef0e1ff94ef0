// deadlock: safe; race: safe — the joined thread does not need the lock that is held
#include <pthread.h>

static int value, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&other_lock);
  other++;
  pthread_mutex_unlock(&other_lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  pthread_join(t, NULL);
  value = other;
  pthread_mutex_unlock(&lock);
  return value - 1;
}
