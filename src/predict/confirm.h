/* A second opinion on a race that a replay showed: a happens-before detector over the
 * steps as they were taken, which knows nothing of how the order was found.
 *
 * The runtime says which steps were done, where the two threads stood and what they were
 * about to access. The steps are walked with vector clocks, of which only the two entries
 * that matter are kept: how far each thread knows the one and the other racing thread.
 * The race is confirmed when both stood where the schedule says, their accesses conflict,
 * and neither is known to have happened before the other. */
#ifndef HEDDLE_PREDICT_CONFIRM_H
#define HEDDLE_PREDICT_CONFIRM_H

#include "predict/schedule.h"

/* How far one racing thread knew the other: by which steps of the schedule it learnt of it
 * last. */
typedef struct {
  uint32_t release, acquire; /* or NO_STEP: it knows nothing of it */
} ConfirmLink;

typedef struct {
  const char *refuted; /* why it is no race, or NULL */
  ConfirmLink link[2]; /* [i]: what thread i knows of the other */
} Confirmation;

/* `shown` is the answer of a replay of this schedule with the outcome CONTROL_RACE. */
Confirmation confirm_race(const Schedule *schedule, const Control *shown);

#endif
