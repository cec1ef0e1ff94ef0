/* A plan: steps of threads that an engine without data believes to lead to a race. Plain data,
 * made by one engine and followed by another. */
#ifndef HEDDLE_ENGINE_GUIDE_H
#define HEDDLE_ENGINE_GUIDE_H

#include "model/ids.h"

#include <stdbool.h>
#include <stdint.h>

/* A step that a thread should take next: whatever it does before is its own affair. */
typedef struct {
  uint32_t thread; /* in the order of creation; 0 is the main thread */
  EdgeId edge;
} GuideStep;

typedef struct {
  const GuideStep *steps;
  uint32_t step_count;
  uint32_t threads[2];  /* that race, numbered as in the steps */
  EdgeId edges[2];      /* what they are about to do */
  uint64_t all_threads; /* that the plan takes, the main thread included */
  bool least;           /* no plan needs fewer */
} Plan;

#endif
