// deadlock: safe — a time-out ends the wait for the second lock
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *both(pthread_mutex_t *first, pthread_mutex_t *second) {
  struct timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  pthread_mutex_lock(first);
  if (pthread_mutex_timedlock(second, &when) == 0) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

static void *one(void *arg) {
  (void)arg;
  return both(&a, &b);
}

static void *two(void *arg) {
  (void)arg;
  return both(&b, &a);
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
