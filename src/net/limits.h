/* How far a search may go, and where it reports. Passed down by whoever asked for it. */
#ifndef HEDDLE_NET_LIMITS_H
#define HEDDLE_NET_LIMITS_H

#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t deadline;  /* of the monotonic clock in nanoseconds; 0: none */
  size_t memory;      /* bytes; 0: no limit */
  Progress *progress; /* or NULL */
  const Log *log;     /* or NULL */
} NetLimits;

static inline uint64_t net_clock(void) {
  return (uint64_t)(clock_now() * 1e9);
}

static inline bool net_time_is_up(const NetLimits *limits) {
  return limits->deadline && net_clock() >= limits->deadline;
}

/* What a search says after each slice of work. */
typedef enum {
  SEARCH_RUNNING,
  SEARCH_SAFE,
  SEARCH_UNSAFE,
  SEARCH_STOPPED, /* by a limit of memory or of numbers; there is a reason */
} SearchStatus;

#endif
