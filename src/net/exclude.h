/* Excluding markings: asks linear programming for an invariant that a marking violates,
 * makes it exact, and puts it into a pool. Where the state equation has a solution, leaves
 * out the transitions that fire in none of them, and those that cannot fire without these,
 * and asks again; then looks for a trap that the solution leaves empty, and asks again. */
#ifndef HEDDLE_NET_EXCLUDE_H
#define HEDDLE_NET_EXCLUDE_H

#include "net/limits.h"
#include "net/lp.h"
#include "net/pool.h"

typedef struct Excluder Excluder;

/* Adds to `pool`, which belongs to the same net and outlives the excluder. */
Excluder *excluder_new(const Net *net, Pool *pool, const NetLimits *limits);
void excluder_free(Excluder *excluder); /* accepts NULL */

/* True when the pool excludes the marking afterwards. The cost is added to *cost. */
bool excluder_try(Excluder *excluder, MarkingView marking, uint64_t *cost);

#endif
