// race: unsafe lines 19 — locking is never switched on
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

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argv;
  if (argc > 100) threaded = true;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
