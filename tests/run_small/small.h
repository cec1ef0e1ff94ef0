/* What the small programs share. Each is built twice: with RACY=1 it has a race that one run
 * shows, with RACY=0 the same idea is carried out without one. */
#ifndef SMALL_H
#define SMALL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef pthread_mutex_t Mutex;
#define MUTEX PTHREAD_MUTEX_INITIALIZER

static inline pthread_t start(void *(*routine)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, routine, argument)) abort();
  return thread;
}

static inline void finish(pthread_t thread) {
  if (pthread_join(thread, NULL)) abort();
}

static inline void nap(int milliseconds) {
  usleep((unsigned)milliseconds * 1000);
}

static inline void lock(Mutex *m) {
  pthread_mutex_lock(m);
}

static inline void unlock(Mutex *m) {
  pthread_mutex_unlock(m);
}

#endif
