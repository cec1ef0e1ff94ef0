/* Timed locks: timedlock that gets the lock, one that times out, clocklock, an invalid
   time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER,
                       open_ = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static const char *name(int e) {
  return e == 0           ? "ok"
         : e == ETIMEDOUT ? "ETIMEDOUT"
         : e == EINVAL    ? "EINVAL"
         : e == EBUSY     ? "EBUSY"
                          : "other";
}

static struct timespec soon(clockid_t clock, long ms) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += ms * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

static void *tries(void *arg) {
  int *r = arg;
  struct timespec t = soon(CLOCK_REALTIME, 20), past = {1, 0}, bad = {1, 2000000000};
  r[0] = pthread_mutex_timedlock(&held, &t);
  r[1] = pthread_mutex_timedlock(&held, &past);
  r[2] = pthread_mutex_timedlock(&open_, &past);
  if (r[2] == 0) pthread_mutex_unlock(&open_);
  r[3] = pthread_mutex_timedlock(&held, &bad);
  t = soon(CLOCK_MONOTONIC, 20);
  r[4] = pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, &t);
  t = soon(CLOCK_REALTIME, 20);
  r[5] = pthread_rwlock_timedwrlock(&rw, &t);
  r[6] = pthread_rwlock_timedrdlock(&rw, &t);
  if (r[6] == 0) pthread_rwlock_unlock(&rw);
  return NULL;
}

int main(void) {
  int r[7];
  pthread_mutex_lock(&held);
  pthread_rwlock_rdlock(&rw);
  pthread_t t;
  pthread_create(&t, NULL, tries, r);
  pthread_join(t, NULL);
  pthread_rwlock_unlock(&rw);
  pthread_mutex_unlock(&held);
  for (int i = 0; i < 7; i++) printf("%s ", name(r[i]));
  printf("\n");
  struct timespec far = soon(CLOCK_REALTIME, 100000);
  printf("%s\n", name(pthread_mutex_timedlock(&held, &far)));
  pthread_mutex_unlock(&held);
  return 0;
}
