/* Forward search for a run to a target: greedy, best first, after the manner of planners.
 *
 * The distance of a marking to a target is estimated by leaving out that firing takes
 * tokens away; the transitions that such an easier run starts with are tried first. It
 * finds runs, often long ones, and proves nothing (unless it has seen every reachable
 * marking, which it does not claim). */
#ifndef HEDDLE_NET_FORWARD_H
#define HEDDLE_NET_FORWARD_H

#include "net/limits.h"
#include "net/net.h"

typedef struct Forward Forward;

/* NULL when the net is not for it: places with any number of tokens are not counted
 * down (the core has them only as sources of transfers). */
Forward *forward_new(const Net *net, const NetLimits *limits);
void forward_free(Forward *f); /* accepts NULL */

/* Goes on for about `work` units. SEARCH_STOPPED: nothing is left to try, or memory. */
SearchStatus forward_run(Forward *f, uint64_t work);

/* After SEARCH_UNSAFE: the transitions in order, and the number of the target. */
uint32_t forward_path(const Forward *f, Numbers *out);

/* Markings seen. */
uint64_t forward_count(const Forward *f);

#endif
