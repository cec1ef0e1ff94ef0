/* Which value a path had to guess, and where it was lost, in words for the user.
 *
 * A branch over TOP goes both ways, and a path that took such a branch may not exist. Backwards
 * along the executed edges: what the condition reads, what wrote that, what that was made of, down
 * to the operation that gave a value which nobody knows. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_LOST_H
#define HEDDLE_ENGINE_INTERLEAVE_LOST_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/program.h"

#include <stdbool.h>

typedef struct {
  uint32_t thread;
  EdgeId edge;
  uint32_t step;
  bool guessed;
} ExecutedEdge;

typedef VEC(ExecutedEdge) Executed;

/* "the value of x was lost at FILE:LINE", in the arena, for the last guess; NULL: there is none. */
const char *lost_value(const Program *program, const Executed *executed, Arena *arena);

#endif
