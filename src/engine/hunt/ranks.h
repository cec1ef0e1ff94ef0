/* Runs by rank: of the threads that can go on, the one of the highest rank does.
 *
 * After Burckhardt, Kothari, Musuvathi and Nagarakatte, *A randomized scheduler with probabilistic guarantees of
 * finding bugs* (ASPLOS 2010): an error that takes few changes of threads at few places is found with a
 * chance that does not fall with the length of the run. Where many threads do the same, what matters is
 * that one or two of them are elsewhere than the others; so threads that begin in the same place have one rank,
 * but for those few. */
#ifndef HEDDLE_ENGINE_HUNT_RANKS_H
#define HEDDLE_ENGINE_HUNT_RANKS_H

#include "engine/hunt/schedule.h"

void ranks_begin(Schedule *schedule);
/* The index of the next choice, of `n`. */
size_t ranks_pick(Schedule *schedule, const ExecChoice *choices, size_t n);

#endif
