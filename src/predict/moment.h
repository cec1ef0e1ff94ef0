/* The state of a run's threads and objects while its steps are taken in some order: what
 * may be done next, by the meaning of each operation alone.
 *
 * It is the small model against which every schedule is checked, whoever proposed it. */
#ifndef HEDDLE_PREDICT_MOMENT_H
#define HEDDLE_PREDICT_MOMENT_H

#include "predict/run.h"

typedef struct {
  uint32_t writers, readers; /* lock */
  uint32_t waiters, tokens;  /* condition */
  uint64_t value;            /* semaphore, atomic */
  bool known;                /* atomic */
  uint32_t arrived, leaving; /* barrier */
  bool running, done;        /* once */
} ObjectState;

typedef struct {
  const Run *run;
  uint32_t *next;  /* per thread: position */
  bool *step_done; /* per step; of those that others need */
  ObjectState *objects;
  bool blind; /* atomic operations may read anything */
} Moment;

void moment_init(Moment *state, const Run *run);
void moment_free(Moment *state);
/* Whether the step, which must be its thread's next, can be taken. */
bool moment_allows(const Moment *state, uint32_t step);
void moment_take(Moment *state, uint32_t step);

#endif
