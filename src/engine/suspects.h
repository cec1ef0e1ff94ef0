/* The pairs of accesses that may race and that nobody has excluded: what the engines that search for
 * errors look for. */
#ifndef HEDDLE_ENGINE_SUSPECTS_H
#define HEDDLE_ENGINE_SUSPECTS_H

#include "engine/engine.h"

typedef VEC(HuntPair) HuntPairs;

/* Appends them: of locations that are open (and of those that are known to race, if `known_too`);
 * of locks and their like that are made or destroyed while others use them; of memory of unknown
 * origin. The caller frees the list. */
void suspects_collect(const EngineContext *context, bool known_too, HuntPairs *ret);

#endif
