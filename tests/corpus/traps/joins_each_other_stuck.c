// deadlock: unsafe; race: safe — two threads join each other
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t one, two;

static void *first(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_t other = two;
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_t other = one;
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
  return arg;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_mutex_unlock(&lock);
  pthread_exit(NULL);
}
