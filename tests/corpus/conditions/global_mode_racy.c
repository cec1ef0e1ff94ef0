// race: unsafe lines 10 — in one of the two modes nobody takes the lock
#include <pthread.h>

static int coarse;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void step(void) {
  if (coarse) pthread_mutex_lock(&lock);
  value++;
  if (coarse) pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  step();
  step();
  return arg;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argv;
  coarse = argc > 1;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 4;
}
