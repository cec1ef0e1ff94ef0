/* Coarser states, for programs whose exact ones are too many or without end.
 *
 * Two things are forgotten, and both only add executions. A local or a piece of memory
 * that has held many different numbers holds TOP from then on. Threads that are alike in
 * all but their names become a **crowd**: any number of them, none included, where the
 * slot stands for each. One that moves leaves the crowd first (coarse_leave_crowd); the
 * others stay.
 *
 * What the members of a crowd know of each other is what all of them know; memory that a
 * member alone can reach is there once and stands for the own memory of each. Nobody
 * knows their ids: a join of an unknown thread may go on at any time and orders nothing,
 * so this serves the search for races and not the one for deadlocks. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_COARSE_H
#define HEDDLE_ENGINE_INTERLEAVE_COARSE_H

#include "engine/interleave/state.h"

typedef struct Coarse Coarse;

/* More than `values` different numbers in one place are too many. */
Coarse *coarse_new(const Facts *facts, uint32_t values);
void coarse_free(Coarse *coarse);

/* Makes a state coarser, in place. Registers that nobody reads any more must be TOP. */
void coarse_apply(Coarse *coarse, State *state);

/* Before a thread moves: one member leaves the crowd and keeps its slot, the rest gets a
 * new one. Does nothing for other threads. False: there is no slot left. */
bool coarse_leave_crowd(Coarse *coarse, State *state, uint32_t thread);

#endif
