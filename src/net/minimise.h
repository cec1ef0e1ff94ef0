/* The least number of threads for a run to the target. */
#ifndef HEDDLE_NET_MINIMISE_H
#define HEDDLE_NET_MINIMISE_H

#include "net/solve.h"

/* Given an unsafe result of a net whose tokens are threads, looks for a run with fewer
 * threads, counting those of omega places, those that are created and those that run from
 * the beginning. Replaces the run if there is one, and sets `least` when no run needs
 * fewer than the one that `result` then holds. */
void net_minimise(const Net *net, const NetOptions *options, NetResult *result);

#endif
