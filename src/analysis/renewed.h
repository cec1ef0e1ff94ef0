/* Locks that stop being what they are while threads use them. */
#ifndef HEDDLE_ANALYSIS_RENEWED_H
#define HEDDLE_ANALYSIS_RENEWED_H

#include "analysis/flow.h"

/* Where a lock (or a barrier) is initialised, destroyed or overwritten while another thread may
 * use it, after which it keeps nobody out: nothing that relies on it is proved. 0: nowhere. */
EdgeId flow_renewed_lock(const Flow *flow);

/* Makes or destroys a condition or a semaphore that another thread may be using, or 0. */
EdgeId flow_renewed_event(const Flow *flow);

#endif
