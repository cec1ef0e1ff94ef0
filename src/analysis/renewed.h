/* Locks that stop being what they are while threads use them. */
#ifndef HEDDLE_ANALYSIS_RENEWED_H
#define HEDDLE_ANALYSIS_RENEWED_H

#include "analysis/flow.h"
#include "base/vec.h"

/* Where a lock (or a barrier) is initialised, destroyed or overwritten while another thread may
 * use it, after which it keeps nobody out: nothing that relies on it is proved. 0: nowhere. */
EdgeId flow_renewed_lock(const Flow *flow);

/* Makes or destroys a condition or a semaphore that another thread may be using, or 0. */
EdgeId flow_renewed_event(const Flow *flow);

/* Every such write to an object of synchronisation with every use, and every other such write,
 * that nothing keeps apart from it, each pair of edges once: appended, the caller frees the list. A large program has too
 * many of them to be looked at: the list ends with `most`, and when the time is over. */
typedef struct {
  EdgeId renews, uses;
} RenewedPair;
typedef VEC(RenewedPair) RenewedPairs;

void flow_renewed_pairs(const Flow *flow, uint32_t most, RenewedPairs *ret);

#endif
