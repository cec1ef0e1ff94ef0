/* What nobody has looked at: functions with neither body nor rule, and inline assembly.
 *
 * The model takes for granted that such code uses only what its arguments reach. A verdict
 * `safe` that rests on it says so: it is conditional, and the code is listed with the line
 * of a rules file that would describe it. With --strict nothing is taken for granted and
 * the verdict is `unknown`. Where such code is started as a thread of its own, not even the
 * model says anything about it, and `safe` is out of the question. */
#ifndef HEDDLE_ENGINE_UNDESCRIBED_H
#define HEDDLE_ENGINE_UNDESCRIBED_H

#include "analysis/pointsto.h"
#include "verdict/result.h"

/* Call when all engines have spoken. Fills result->undescribed and ->conditional, and
 * takes back what does not hold. `pointsto` may be NULL: then all code counts as reachable. */
void undescribed_conclude(const PointsTo *pointsto, bool strict, CheckResult *result);

#endif
