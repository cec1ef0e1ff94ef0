// deadlock: unsafe; race: safe — the mutex is made before its attribute becomes recursive
#include <pthread.h>

static int value;
static pthread_mutex_t lock;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutex_init(&lock, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return value - 1;
}
