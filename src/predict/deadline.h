/* When prediction has to be over: a moment of the monotonic clock in seconds, 0 for never.
 * Long loops ask every few thousand rounds, and end with what they know by then; also when
 * the user does not want to wait any longer. */
#ifndef HEDDLE_PREDICT_DEADLINE_H
#define HEDDLE_PREDICT_DEADLINE_H

#include "base/clock.h"
#include "base/interrupt.h"

#include <stdbool.h>

static inline bool deadline_over(double deadline) {
  return interrupt_cuts() || (deadline > 0 && clock_now() > deadline);
}

#endif
