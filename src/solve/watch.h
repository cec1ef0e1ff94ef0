/* A thread that looks at a limit while another one is busy in a library, and interrupts it. */
#ifndef HEDDLE_SOLVE_WATCH_H
#define HEDDLE_SOLVE_WATCH_H

#include "solve/solver.h"

typedef struct Watch Watch;

/* Is the limit's time over, or is it asked to stop? A limit of NULL never ends. */
bool watch_ended(const SolveLimit *limit);
/* Calls `interrupt` when the limit ends, and again until watch_end. NULL where there is nothing to
 * watch. */
Watch *watch_start(const SolveLimit *limit, void (*interrupt)(void *user), void *user);
/* After it `interrupt` is not called any more. */
void watch_end(Watch *watch); /* accepts NULL */

#endif
