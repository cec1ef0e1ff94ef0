/* Where a program rests on what points-to takes for granted of its pointers
 * (docs/pointsto.md): each use is a listed assumption, never silent.
 *
 * - A distance between pointers into different objects is not added to a pointer.
 * - A pointer to the array that a structure begins with does not run over the members behind
 *   it, as an `int *` to the whole structure would. */
#ifndef HEDDLE_ENGINE_POINTER_LIMITS_H
#define HEDDLE_ENGINE_POINTER_LIMITS_H

#include "analysis/pointsto.h"
#include "verdict/result.h"

/* Adds to result->assumed. `pointsto` may be NULL: then nothing was proved by it. */
void pointer_limits_list(const PointsTo *pointsto, CheckResult *result);

#endif
