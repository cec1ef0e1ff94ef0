// race: safe; deadlock: safe — a recursive mutex is taken twice, and all is done before the first release
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
  pthread_t a;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  pthread_create(&a, NULL, work, NULL);
  work(NULL);
  pthread_join(a, NULL);
  return value - 2;
}
