/* Locks that a thread may release although another one holds them (--unlock-any).
 *
 * A lock set says what a thread has taken and not yet released itself. If others may
 * release it, it says nothing about such a lock. */
#ifndef HEDDLE_ENGINE_FOREIGN_H
#define HEDDLE_ENGINE_FOREIGN_H

#include "analysis/flow.h"

/* Takes the locks that may be released by a thread that does not hold them out of all the
 * lock sets of the flow. Returns how many releases are of that kind. */
uint32_t foreign_drop_locks(Flow *flow);

#endif
