/* When prediction has to be over: a moment of the monotonic clock in seconds, 0 for never.
 * Long loops ask every few thousand rounds, and end with what they know by then. */
#ifndef HEDDLE_PREDICT_DEADLINE_H
#define HEDDLE_PREDICT_DEADLINE_H

#include <stdbool.h>
#include <time.h>

static inline double deadline_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline bool deadline_over(double deadline) {
  return deadline > 0 && deadline_now() > deadline;
}

#endif
