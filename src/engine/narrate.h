/* From a witness to what a person can follow: who did what in which order, who holds what
 * at the end, and in words why nothing goes on.
 *
 * The witness is followed once more on a machine of its own (witness_follow). Of its
 * steps only those are told that concern other threads: creations, joins, ends,
 * synchronisation, the accesses that decide which way a thread goes (narrate_values.c) with
 * their values, inputs, and at last the error itself. */
#ifndef HEDDLE_ENGINE_NARRATE_H
#define HEDDLE_ENGINE_NARRATE_H

#include "engine/hunt/hunt.h"
#include "verdict/result.h"

typedef struct {
  const FoundAccess
      *accesses; /* the two of a race, the waits of a deadlock, the assertion */
  uint32_t access_count;
  const FoundStep *steps;
  uint32_t step_count;
  ObjectId
      object; /* race: what both touch, and where; deadlock: the first thing waited for */
  uint64_t offset;
  const char *name; /* of the object, the locks, or the assertion */
  const char *why, *fix;
  bool unordered; /* race: the two accesses are not next to each other, but nothing orders
                     them; `why` says what does not */
} Narration;

/* False if the witness cannot be followed (then it is none). All texts live in the arena.
 */
bool narrate(const Program *program, const Witness *witness, Arena *arena,
             Narration *ret_narration);

#endif
