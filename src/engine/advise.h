/* What would mend a race, in one sentence for the user. Texts live in the arena. */
#ifndef HEDDLE_ENGINE_ADVISE_H
#define HEDDLE_ENGINE_ADVISE_H

#include "analysis/flow.h"
#include "verdict/result.h"

/* About a lock that is made or destroyed while it is used; NULL: these edges are something else. */
const char *advise_lock(const Program *program, const EdgeId edges[2], const char *name,
                        Arena *arena);
/* About an access in the handler of a signal, where nothing may be locked; NULL: neither is one.
 * `flow` may be NULL. */
const char *advise_handler(const Flow *flow, const EdgeId edges[2], const char *name,
                           Arena *arena);
/* About any two accesses. */
const char *advise_race(const FoundAccess accesses[2], const char *name, Arena *arena);

#endif
