// race: safe — a wrapper that locks only where locking was switched on, before any thread
#include <pthread.h>
#include <stdbool.h>

static bool threaded;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
  if (threaded) pthread_mutex_lock(&lock);
}

static void leave(void) {
  if (threaded) pthread_mutex_unlock(&lock);
}

static void bump(void) {
  enter();
  value++;
  leave();
}

static void *worker(void *arg) {
  bump();
  return arg;
}

int main(void) {
  pthread_t a, b;
  bump();
  threaded = true;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 3;
}
