/* What nobody has looked at: functions with neither body nor rule, and inline assembly.
 *
 * The model takes for granted that such code uses only what its arguments reach. A verdict
 * `safe` that rests on it says so: it is conditional, and the code is listed with the line
 * of a rules file that would describe it. With --strict nothing is taken for granted, and where
 * such code is started as a thread of its own, not even the model says anything about it: both
 * are rows of the caveats, and `safe` is out of the question. */
#ifndef HEDDLE_ENGINE_UNDESCRIBED_H
#define HEDDLE_ENGINE_UNDESCRIBED_H

#include "engine/analyses.h"
#include "verdict/obligation.h"

/* Fills analyses->undescribed, and notes what it forbids. Without points-to all code counts as
 * reachable. */
void undescribed_survey(Analyses *analyses);
/* Hands the list on to the result, and says which of its verdicts are conditional. */
void undescribed_tell(const Analyses *analyses, const Obligations *obligations,
                      CheckResult *result);

#endif
