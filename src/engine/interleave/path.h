/* The way that a search took to something, as a plan for those who run the model itself
 * (engine/guide.h): the path of Algorithm 2 of the layered approach becomes a schedule.
 *
 * A search keeps for each state where it was come from, and nothing else. The path is gone once
 * more, from the first state on, with the same answers to the same choices. That tells which
 * visible operations were executed in which order, by threads in the order of their creation, and
 * which branches were taken without knowing the value that they depend on.
 *
 * For a race the first of the two accesses has already happened when the second one is found not
 * to know of it. The plan leaves out what its thread did behind it, and all steps of threads that
 * know of it by then: happens-before says that the second access does not need them. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_PATH_H
#define HEDDLE_ENGINE_INTERLEAVE_PATH_H

#include "base/arena.h"
#include "engine/interleave/interleave.h"
#include "engine/interleave/machine.h"

/* The step by which a state was found first. */
typedef struct {
  uint32_t parent; /* the state before */
  uint8_t thread;  /* a slot of it */
  uint8_t choice_count;
  uint8_t chosen[MAX_CHOICES];
} Origin;

typedef VEC(Origin) Origins; /* by state; that of the first one says nothing */

/* The step that the machine has just made from the state. */
Origin origin_of_step(const Machine *machine, uint32_t parent);

typedef struct {
  Facts *facts;
  const MachineOptions *options;
  bool joins; /* as in packer_new */
  const Origins *origins;
  uint32_t state;     /* where the path ends */
  const Origin *last; /* or NULL: one more step from there */
  PlanTarget target;
  EdgeId edges[2]; /* race: the second access is [1]; assertion: it is [0] */
} PathQuestion;

/* False: the path could not be gone again. */
bool path_find(const PathQuestion *question, Arena *arena, InterleavePath *ret_path);

#endif
