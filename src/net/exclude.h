/* Excluding markings: asks linear programming for an invariant that a marking violates,
 * makes it exact, and puts it into a pool. Where the state equation has a solution, looks
 * for a trap that the solution leaves empty, and asks again; then leaves out the
 * transitions that fire in no solution, and those that cannot fire without these, and asks
 * again. Each goes on as long as what it costs in vain stays in proportion to the search
 * that it is to save. */
#ifndef HEDDLE_NET_EXCLUDE_H
#define HEDDLE_NET_EXCLUDE_H

#include "net/limits.h"
#include "net/lp.h"
#include "net/pool.h"

typedef struct Excluder Excluder;

/* Adds to `pool`, which belongs to the same net and outlives the excluder. */
Excluder *excluder_new(const Net *net, Pool *pool, const NetLimits *limits);
void excluder_free(Excluder *excluder); /* accepts NULL */

typedef enum {
  EXCLUDER_FAILED,
  EXCLUDER_EXCLUDED, /* by the pool, from now on */
  EXCLUDER_PAUSED,   /* the budget is used up: the same question goes on from there */
} ExcluderAnswer;

/* After EXCLUDER_PAUSED the next question must be about the same marking. `search_cost` is
 * what the search that asks has cost so far; what this costs is added to *cost, in the
 * same units. */
ExcluderAnswer excluder_try(Excluder *excluder, MarkingView marking, uint64_t budget,
                            uint64_t search_cost, uint64_t *cost);

#endif
