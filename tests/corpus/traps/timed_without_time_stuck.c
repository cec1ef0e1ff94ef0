// deadlock: unsafe — a deadline that is NULL is undefined: the C library then waits without one
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

#pragma clang diagnostic ignored "-Wnonnull"

static void *forth(void *arg) {
  if (pthread_mutex_timedlock(&m, NULL)) return arg;
  if (!pthread_mutex_timedlock(&n, NULL)) pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *back(void *arg) {
  if (pthread_mutex_timedlock(&n, NULL)) return arg;
  if (!pthread_mutex_timedlock(&m, NULL)) pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, forth, 0);
  pthread_create(&b, 0, back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
