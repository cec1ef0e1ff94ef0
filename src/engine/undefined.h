/* Calls whose behaviour is undefined: a lock, a condition or a place for a thread's number
 * that is NULL, the join of a number that nobody set, a thread whose function does not take
 * one argument.
 *
 * What happens behind such a call nobody can say, so nothing is `safe` where one surely is
 * undefined when it is reached. Where an operand merely designates no object that the
 * program has, the call is taken not to be reached (`if (lock) pthread_mutex_lock(lock)`),
 * and that is listed as an assumption. */
#ifndef HEDDLE_ENGINE_UNDEFINED_H
#define HEDDLE_ENGINE_UNDEFINED_H

#include "analysis/pointsto.h"
#include "verdict/result.h"

/* Call when all engines have spoken. Adds to result->assumed, and takes back what does not
 * hold. `pointsto` may be NULL. */
void undefined_conclude(const PointsTo *pointsto, CheckResult *result);

#endif
