/* Calls whose behaviour is undefined: a lock, a condition or a place for a thread's number
 * that is NULL, the join of a number that nobody set, a thread whose function does not take
 * one argument.
 *
 * What happens behind such a call nobody can say, so nothing is `safe` where one surely is
 * undefined when it is reached: that is a row of the caveats. Where an operand merely designates
 * no object that the program has, the call is taken not to be reached
 * (`if (lock) pthread_mutex_lock(lock)`), and that is listed as an assumption. */
#ifndef HEDDLE_ENGINE_UNDEFINED_H
#define HEDDLE_ENGINE_UNDEFINED_H

#include "engine/analyses.h"
#include "verdict/result.h"

/* Notes whether there is such a call. */
void undefined_survey(Analyses *analyses);
/* Adds to result->assumed what is taken not to be reached. */
void undefined_tell(Analyses *analyses, CheckResult *result);

#endif
