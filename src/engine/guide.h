/* A plan: steps of threads, and perhaps values, that one engine believes to lead to an error.
 * Plain data, made by one engine and followed by another on the model itself (hunt_along in
 * engine/hunt/hunt.h), so that nothing in it has to be right. The zero value of every field
 * means "not said". */
#ifndef HEDDLE_ENGINE_GUIDE_H
#define HEDDLE_ENGINE_GUIDE_H

#include "model/ids.h"

#include <stdbool.h>
#include <stdint.h>

/* A step that a thread should take next: whatever it does before is its own affair. */
typedef struct {
  uint32_t thread; /* in the order of creation; 0 is the main thread */
  EdgeId edge;
  uint8_t
      kind; /* ExecChoiceKind (model/exec/exec.h): its wait may end by time, or by itself */
  uint32_t waiter; /* SIGNAL: the thread that it wakes, counted from 1; 0: any */
} GuideStep;

/* What a thread finds in its HAVOCs, in their order; one that is wider than 64 bits takes several
 * words, the lowest first. When they run out, values are drawn. */
typedef struct {
  uint32_t thread; /* numbered as in the steps */
  const uint64_t *words;
  uint32_t count;
} GuideValues;

/* The error behind the last step. */
typedef enum {
  TARGET_RACE, /* threads[0] and [1] stand before edges[0] and [1], on a common byte */
  TARGET_ASSERTION, /* threads[0] comes to the assertion edges[0], which fails */
  TARGET_DEADLOCK,  /* threads wait and none can ever go on */
  TARGET_UNORDERED, /* edges[0] and [1] were executed on a common byte, and nothing orders them */
} PlanTarget;

typedef struct {
  const GuideStep *steps;
  uint32_t step_count;
  PlanTarget target;
  uint32_t threads[2]; /* numbered as in the steps */
  EdgeId edges[2];
  const GuideValues *values; /* at most one for each thread */
  uint32_t value_count;
  uint64_t all_threads; /* that the plan takes, the main thread included */
  bool least;           /* no plan needs fewer */
} Plan;

#endif
