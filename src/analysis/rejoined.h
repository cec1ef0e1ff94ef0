/* Threads that are joined a second time, or after they were detached, which is undefined.
 *
 * In: the program and what its pointers mean. Out: a JOIN of which it could not be excluded. What
 * joins or detaches a thread takes its id from a cell, into which a creation has put it; so two of
 * them mean the same thread only if they may read the same cell, and no creation fills it in between. */
#ifndef HEDDLE_ANALYSIS_REJOINED_H
#define HEDDLE_ANALYSIS_REJOINED_H

#include "analysis/pointsto.h"

/* A JOIN that may be the second one of its thread, or follow a DETACH; 0: there is none. */
EdgeId rejoined_find(const Program *program, const PointsTo *pointsto);

#endif
