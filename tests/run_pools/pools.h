/* What the pools share: 600 items of work for four threads, dealt out differently in every run.
 * With RACY=1 every item counts without a lock; with RACY=2 one item writes what another one
 * reads, far apart; with RACY=0 both are done under a lock. */
#ifndef POOLS_H
#define POOLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ITEMS = 600, THREADS = 4, WRITER = 137, READER = 411 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int done, limit, seen;
static _Thread_local volatile int sink;

/* Work that takes its time, and not always the same. */
static inline void toil(int item) {
  int sum = item;
  for (int i = 0; i < 200 + item % 7 * 100; i++) sum += i * sum;
  sink = sum == 1;
}

static inline void handle(int item) {
  toil(item);
  if (RACY != 1) pthread_mutex_lock(&guard);
  done++;
  if (RACY != 1) pthread_mutex_unlock(&guard);
  if (RACY != 2) pthread_mutex_lock(&guard);
  if (item == WRITER) limit = 7;
  if (item == READER) seen = limit;
  if (RACY != 2) pthread_mutex_unlock(&guard);
}

#endif
