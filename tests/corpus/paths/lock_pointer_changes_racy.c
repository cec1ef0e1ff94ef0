// race: unsafe lines 10 — the pointer to the lock is redirected between two critical sections
#include <pthread.h>

static int value;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

static void bump(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
  value++;
  pthread_mutex_unlock(m);
}

static void *work(void *arg) {
  pthread_mutex_t *m = &first;
  bump(m);
  m = &second;
  bump(m);
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
