/* The run as a system of processes (section 4.4 of the paper), and questions to the CSP
 * checker about it. */
#ifndef HEDDLE_PREDICT_SEARCH_H
#define HEDDLE_PREDICT_SEARCH_H

#include "predict/solve.h"

typedef struct OrderSearch OrderSearch;

/* Only the first `length[t]` steps of each thread are there; the first `prefix` steps of the
 * run, all of them among these, come as they were recorded. With targets, which must be
 * the ends of their threads: can they all stand there at once? Without: can the threads
 * come to a state in which nothing can happen, but not everything was done? NULL when the
 * system is too large. */
OrderSearch *order_search_begin(const Run *run, const uint32_t *length, uint32_t prefix,
                                const Target *targets, uint32_t count,
                                const SolveLimits *limits);
SolveAnswer order_search_next(OrderSearch *search, StepOrder *ret);
/* States that were looked at, for all answers. */
uint64_t order_search_states(const OrderSearch *search);
void order_search_end(OrderSearch *search); /* accepts NULL */

#endif
