/* A copy of a function for each function that it is told to call.
 *
 * start(f) { pthread_create(&t, 0, entry, f); } is one place that creates threads, and
 * entry(f) { f(); } one function that all of them run, although the program has as many
 * kinds of threads as it calls start with different functions. Seen one by one they share
 * nothing; seen as one kind, everything races with everything. This pass makes one copy
 * of start and of entry for each f, so that every analysis behind it tells them apart at
 * no cost. */
#ifndef HEDDLE_MODEL_SPECIALISE_H
#define HEDDLE_MODEL_SPECIALISE_H

#include "model/build.h"

enum { SPECIALISE_COPIES = 200 }; /* what fronts allow */

/* Redirects calls and thread creations that pass functions, in the unfinished program, to
 * copies of what they start; the rule is in specialise.c. The program does exactly what
 * it did before. Makes at most `max_copies` copies with at most `max_edges` edges in all;
 * calls beyond stay as they are. Allocation sites must have their numbers (Object.site),
 * thread templates are computed afterwards. Returns the number of copies.
 *
 * A copy is called like its original followed by what it was made for: entry(worker). */
uint32_t specialise_functions(Builder *builder, uint32_t max_copies, uint32_t max_edges);

#endif
