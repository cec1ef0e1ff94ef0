/* Looks for an execution of the model that passes waypoints in their order and ends with an error
 * at the last of them.
 *
 * A run moves threads on until one stands where the next waypoint is, and keeps those back that
 * stand where a later one is, as long as others can go on. Waypoints do not say whose they are and
 * need not be all that matters, so later runs draw what the first one took as it came. An
 * execution is believed after witness_check. */
#ifndef HEDDLE_ENGINE_HUNT_THROUGH_H
#define HEDDLE_ENGINE_HUNT_THROUGH_H

#include "engine/hunt/hunt.h"
#include "verdict/waypoint.h"

typedef struct {
  const Program *program;
  const Waypoint *waypoints; /* the last is the target, and no other is */
  uint32_t count;
  const char *assertion;    /* the target is where this one fails; NULL: a race */
  double seconds;           /* at most */
  const volatile int *stop; /* or NULL */
} Through;

/* True: *ret_witness is a checked witness of it. Otherwise *ret_passed is how many waypoints a run
 * has passed, and *ret_nowhere the first where no step of the model stands (`count`: none). */
bool hunt_through(const Through *through, Witness *ret_witness, uint32_t *ret_passed,
                  uint32_t *ret_nowhere);

#endif
