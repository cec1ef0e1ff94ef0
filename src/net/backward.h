/* Backward coverability: the upward-closed set of all markings from which a target can be
 * covered, by its minimal elements, smallest first.
 *
 * The algorithm is that of Figure 4 of "Model Checking Race-Freeness" with three changes
 * that keep its answer: markings that no reachable marking can be above are left out (see
 * pool.h); what is explored next is chosen by an estimate of the distance from the
 * initial marking in turn with the number of tokens; and subsumption goes through an
 * index. With `plain` it is Figure 4 itself. */
#ifndef HEDDLE_NET_BACKWARD_H
#define HEDDLE_NET_BACKWARD_H

#include "net/basis.h"
#include "net/limits.h"
#include "net/pool.h"

typedef struct Backward Backward;

typedef struct {
  uint64_t configurations; /* most that were kept at any time */
  uint64_t subsumed;       /* markings discarded because a smaller one was there, and
                              markings that a new smaller one replaced */
  uint64_t excluded;       /* by invariants */
  uint64_t generated;
  uint64_t iterations; /* markings expanded */
  uint32_t depth;      /* longest way to the target */
} BackwardStats;

/* `net` (a core) and `limits` must outlive the search. `plain`: first in, first out, and
 * no exclusion. */
Backward *backward_new(const Net *net, const NetLimits *limits, bool plain);
void backward_free(Backward *b); /* accepts NULL */

/* Goes on for about `work` units. Deterministic, except for the deadline, after which
 * SEARCH_RUNNING is returned early. */
SearchStatus backward_run(Backward *b, uint64_t work);

/* Units of work done so far. One question to linear programming may cost far more than
 * was allowed for. */
uint64_t backward_cost(const Backward *b);

/* Why it stopped, after SEARCH_STOPPED. */
const char *backward_reason(const Backward *b);

/* After SEARCH_UNSAFE: the transitions to fire from the initial marking, in order, and
 * the target that they cover. */
uint32_t backward_path(const Backward *b, Numbers *out);

/* After SEARCH_SAFE: the items of the basis that are alive, with the pool, are the
 * proof. */
const Basis *backward_basis(const Backward *b);
const Pool *backward_pool(const Backward *b);
const BackwardStats *backward_stats(const Backward *b);

#endif
