// race: safe — the unguarded access stands in code that never runs
#include <pthread.h>

#define DEBUG 0
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  if (DEBUG) value = -1;
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void never_called(void) { value = 99; }
static void (*volatile keep)(void);

int main(void) {
  pthread_t a, b;
  if (DEBUG) keep = never_called;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
