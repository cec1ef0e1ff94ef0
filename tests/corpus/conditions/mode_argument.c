// race: safe; deadlock: safe — the caller says whether it already holds the lock
#include <pthread.h>
#include <stdbool.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n, bool locked) {
  if (!locked) pthread_mutex_lock(&lock);
  value += n;
  if (!locked) pthread_mutex_unlock(&lock);
}

static void *once(void *arg) {
  add(1, false);
  return arg;
}

static void *twice(void *arg) {
  pthread_mutex_lock(&lock);
  add(1, true);
  add(1, true);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, once, NULL);
  pthread_create(&b, NULL, twice, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 3;
}
