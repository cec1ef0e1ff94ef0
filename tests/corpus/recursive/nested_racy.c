// race: unsafe lines 9 18; deadlock: safe — a write after the last release of a recursive mutex
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
  add(1);
  add(1);
  pthread_mutex_unlock(&lock);
  value *= 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  pthread_create(&a, NULL, add_twice, NULL);
  pthread_create(&b, NULL, add_twice, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value == 0;
}
