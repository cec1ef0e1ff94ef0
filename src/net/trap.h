/* Traps: sets of places that a transition which takes from them also puts into; so one
 * that has a token keeps one for ever. */
#ifndef HEDDLE_NET_TRAP_H
#define HEDDLE_NET_TRAP_H

#include "net/net.h"

typedef struct TrapFinder TrapFinder;

TrapFinder *trap_finder_new(const Net *net); /* which must outlive it */
void trap_finder_free(TrapFinder *finder);   /* accepts NULL */

/* Looks for a trap within the places where `allowed` is not zero that has a token in the
 * initial marking, and from which no place can be left out (up to a bound on the work).
 * False when there is none; otherwise its places in ascending order. */
bool trap_find(TrapFinder *finder, const uint8_t *allowed, Numbers *ret_places);

/* Work done so far, in looked-at arcs. */
uint64_t trap_finder_work(const TrapFinder *finder);

#endif
