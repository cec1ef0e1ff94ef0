// race: unsafe lines 11 — the wrong bit is tested before the lock is taken
#include <pthread.h>

enum { LOCKED = 1, DOUBLE = 2 };
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n, unsigned flags) {
  int take = !(flags & DOUBLE);
  if (take) pthread_mutex_lock(&lock);
  value += flags & DOUBLE ? 2 * n : n;
  if (take) pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  add(1, DOUBLE);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 4;
}
