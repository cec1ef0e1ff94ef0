/* One pair of accesses: may they race, and if not, why not. */
#ifndef HEDDLE_ANALYSIS_PAIR_H
#define HEDDLE_ANALYSIS_PAIR_H

#include "analysis/flow.h"

typedef enum {
  PAIR_RACES, /* nothing excludes it */
  PAIR_APART, /* they never touch the same byte, or neither writes */
  PAIR_ATOMIC,
  PAIR_OWN, /* each thread instance has its own memory there, or nobody else knows it yet */
  PAIR_ORDERED, /* by create, join, once, or because one thread runs both */
  PAIR_GUARDED, /* a common lock */
} PairReason;

PairReason pair_decide(const Flow *flow, const FlowAccess *a, const FlowAccess *b);

/* They conflict at a common byte of shared memory. Locks and orders are not looked at. */
bool pair_may_meet(const Flow *flow, const FlowAccess *a, const FlowAccess *b);

/* What pair_decide says, from the circumstances alone (threads, locks, kinds), whatever is accessed;
 * PAIR_RACES when they do not decide. */
PairReason pair_decide_anywhere(const Flow *flow, const FlowAccess *a,
                                const FlowAccess *b);
/* Accesses for which pair_decide_anywhere is the same against every other. */
bool pair_same_circumstances(const FlowAccess *a, const FlowAccess *b);

/* Does any of these accesses write; do several threads make them? */
void pair_survey(const Flow *flow, const uint32_t *members, uint32_t count,
                 bool *ret_written, bool *ret_parallel);

/* The lock that both hold and that keeps them apart, or NULL. */
const FlowLock *pair_common_lock(const Flow *flow, const FlowAccess *a,
                                 const FlowAccess *b);

#endif
