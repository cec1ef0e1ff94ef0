/* Progressions: predicates that differ in numbers alone.
 *
 * Learning can go on like that for ever: i == 0, i == -1, i == -2 …; i + 1 < n, i + 2 < n … Where a variable is compared
 * with one number after the other, bounds say what all of these have in common (i <= 0). Where nothing ends a
 * progression, the search should, since there are others that may find an invariant. */
#ifndef HEDDLE_ENGINE_CIRC_PROGRESS_H
#define HEDDLE_ENGINE_CIRC_PROGRESS_H

#include "engine/circ/predicate.h"

/* How many predicates are as the term but for their numbers. `strange`: only those with a number that stands
 * nowhere in the program. */
uint32_t circ_progress(CircPredicates *predicates, Term term, bool strange);

/* How many there are in all progressions of at least three such. */
uint32_t circ_progress_all(CircPredicates *predicates);

/* Calls `found` with bounds of the numbers that the term's progression has had so far, once. */
void circ_progress_bounds(CircPredicates *predicates, Term term,
                          void (*found)(void *user, Term bound), void *user);

#endif
