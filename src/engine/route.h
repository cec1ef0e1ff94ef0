/* From a witness to the way that the real program is to go (verdict/route.h). */
#ifndef HEDDLE_ENGINE_ROUTE_H
#define HEDDLE_ENGINE_ROUTE_H

#include "engine/hunt/hunt.h"
#include "verdict/route.h"

#include "base/arena.h"

/* NULL if there is none: the error is inside of the library, something was refused to the
 * program that it would be given, or the way is too long. Lives in the arena. */
const Route *route_of_witness(const Program *program, const Witness *witness,
                              Arena *arena);

#endif
