/* See watch.h. */
#include "solve/watch.h"

#include "base/clock.h"
#include "base/mem.h"

#include <pthread.h>
#include <time.h>

struct Watch {
  const SolveLimit *limit;
  void (*interrupt)(void *user);
  void *user;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool over; /* guarded by mutex */
};

enum { POLL_MILLISECONDS = 10 };

bool watch_ended(const SolveLimit *limit) {
  if (!limit) return false;
  if (limit->stop && *limit->stop) return true;
  return limit->deadline > 0 && clock_now() >= limit->deadline;
}

/* An interruption may come at a moment at which the library does not listen yet, so it is
 * repeated. */
static void *look(void *user) {
  Watch *watch = user;
  pthread_mutex_lock(&watch->mutex);
  while (!watch->over) {
    if (watch_ended(watch->limit)) watch->interrupt(watch->user);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POLL_MILLISECONDS * 1000000L;
    if (until.tv_nsec >= 1000000000L) until.tv_sec++, until.tv_nsec -= 1000000000L;
    pthread_cond_timedwait(&watch->changed, &watch->mutex, &until);
  }
  pthread_mutex_unlock(&watch->mutex);
  return NULL;
}

Watch *watch_start(const SolveLimit *limit, void (*interrupt)(void *user), void *user) {
  if (!limit || (!limit->stop && limit->deadline <= 0)) return NULL;
  Watch *watch = mem_alloc_zero(sizeof *watch);
  watch->limit = limit;
  watch->interrupt = interrupt;
  watch->user = user;
  pthread_mutex_init(&watch->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&watch->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  if (pthread_create(&watch->thread, NULL, look, watch) == 0) return watch;
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->mutex);
  mem_free(watch);
  return NULL;
}

void watch_end(Watch *watch) {
  if (!watch) return;
  pthread_mutex_lock(&watch->mutex);
  watch->over = true;
  pthread_cond_signal(&watch->changed);
  pthread_mutex_unlock(&watch->mutex);
  pthread_join(watch->thread, NULL);
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->mutex);
  mem_free(watch);
}
