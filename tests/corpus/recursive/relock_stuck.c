// race: safe; deadlock: unsafe — a normal mutex taken again by its owner
#include <pthread.h>

static int value;
static pthread_mutex_t lock;

static void add(int n) {
  pthread_mutex_lock(&lock);
  value += n;
  pthread_mutex_unlock(&lock);
}

static void *add_twice(void *arg) {
  pthread_mutex_lock(&lock);
  add(2);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&lock, &attr);
  pthread_create(&a, NULL, add_twice, NULL);
  pthread_join(a, NULL);
  return value;
}
