/* The Petri net engine: is a race, or the failure of an assertion, excluded for any number of
 * threads?
 *
 * The part of the program that the open objects need becomes a net: a thread is a token
 * at a control place, locks, semaphores, barriers and values of small variables are
 * places of their own, and the target is "two conflicting accesses are next at the same
 * time", or "an assertion is next whose condition may be false". If the targets cannot be covered
 * there is no such error, however many threads there are; the net's proof was accepted by the checker of src/net before anybody hears of it.
 * See docs/petri.md for the translation and why it misses nothing.
 *
 * A covered target is only a suspicion, because the net knows little about data: it comes
 * with the pair of accesses and the number of threads, for the hunt. */
#ifndef HEDDLE_ENGINE_PETRI_PETRI_H
#define HEDDLE_ENGINE_PETRI_PETRI_H

#include "analysis/flow.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "engine/guide.h"

typedef struct PetriAnswer PetriAnswer;

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const Flow *flow; /* complete */
  /* May two accesses touch a common byte of shared memory, one of them writing, not both
   * atomic? Locks and orders do not matter: those are the net's. */
  bool (*conflict)(const Flow *flow, const FlowAccess *a, const FlowAccess *b);
  /* Objects (program->objects.len flags) whose accesses may race; that those of all
   * others do not is known already. NULL: nothing is known. */
  const uint8_t *watched;
  /* Objects (flags as above) that are known to race: their contents may be anything at any time,
   * and their races are not reported. NULL: none. */
  const uint8_t *racy;
  /* Assertions (program->edges.len flags) that may not fail. NULL: none. */
  const uint8_t *asserts;
  double seconds;
  const volatile int *stop; /* or NULL */
  Progress *progress;       /* or NULL */
  const Log *log;           /* or NULL */
  Outfile *certificate;     /* or NULL: gets the net and its proof, if there is one */
  /* Is the run that a net has, as the answer tells it, one of the program? Then no finer net is
   * asked. Or NULL. */
  bool (*follow)(void *user, const PetriAnswer *answer);
  void *user;
} PetriQuestion;

struct PetriAnswer {
  bool race_free;     /* proved, and that none of the assertions fails */
  const char *reason; /* why not; in the arena */
  EdgeId assertion;   /* that the net does not keep from failing, in racers[0]; or 0 */
  EdgeId edges[2];    /* two accesses that the net does not keep apart, or 0 */
  uint32_t racers[2]; /* the threads that make them, numbered as in GuideStep */
  const GuideStep *steps; /* that lead there; in the arena */
  uint32_t step_count;
  uint64_t threads;             /* that it takes, the main thread included */
  bool least;                   /* no run of the net needs fewer */
  uint32_t places, transitions; /* of the last net */
  uint32_t basis, invariants;   /* of the proof */
  bool written;                 /* to the certificate */
};

void petri_run(const PetriQuestion *question, Arena *arena, PetriAnswer *ret_answer);

#endif
