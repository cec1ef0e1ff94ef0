// race: safe — a bit of a flags argument decides about locking and unlocking
#include <pthread.h>

enum { LOCKED = 1, DOUBLE = 2 };
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n, unsigned flags) {
  if (!(flags & LOCKED)) pthread_mutex_lock(&lock);
  value += flags & DOUBLE ? 2 * n : n;
  if (!(flags & LOCKED)) pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  add(1, DOUBLE);
  pthread_mutex_lock(&lock);
  add(1, LOCKED | DOUBLE);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 8;
}
