/* The interleave engine: are the errors that lock sets cannot exclude really excluded?
 *
 * An explicit-state search over an abstract machine whose states cover every execution of
 * the program: see docs/interleave.md for the argument. A complete search without an error
 * is a proof; everything else is `unknown` with a reason. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_INTERLEAVE_H
#define HEDDLE_ENGINE_INTERLEAVE_INTERLEAVE_H

#include "analysis/flow.h"
#include "analysis/pointsto.h"
#include "base/arena.h"
#include "base/progress.h"
#include "engine/guide.h"
#include "model/program.h"

#include <stdbool.h>

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  /* Objects (program->objects.len flags) whose accesses may race; that those of all
   * others do not is known already. NULL: nothing is known. */
  const uint8_t *watched;
  /* Objects (flags as above) that are known to race: their contents may be anything at
   * any time, and their races are not reported. NULL: none. */
  const uint8_t *havocked;
  /* By EdgeId: atomic reads that find no value of the future, see interleave_settled. NULL:
   * nothing is known. */
  const uint8_t *settled;
  bool deadlocks;    /* look for threads that wait for ever, and nothing else */
  bool unlock_any;   /* a thread may release a lock that another one holds */
  bool no_reduction; /* every thread moves in every state */
  uint32_t threads;  /* follow no more at once from one creating point; 0: all */
  double seconds;
  uint64_t max_states;      /* 0: as many as time and memory allow */
  uint64_t max_bytes;       /* of states that wait; 0: a default */
  const volatile int *stop; /* or NULL */
  Progress *progress;       /* or NULL */
} InterleaveQuestion;

/* How the search came to an error of the abstract machine: perhaps one of the program. */
typedef struct {
  bool found;
  Plan plan;  /* in the arena */
  Plan whole; /* race: with all steps, to accesses that nothing orders; or no steps */
  const char
      *lost; /* "the value of x was lost at FILE:LINE" if it rests on a guess, or NULL */
} InterleavePath;

typedef struct {
  bool race_free; /* proved */
  /* Assertions that may fail, in the arena; no other one does, if race_free. */
  const EdgeId *failed;
  const InterleavePath *failing; /* how, for each of them */
  uint32_t failed_count;
  InterleavePath path; /* to the race or the deadlock that ended the search */
  bool deadlock_free;  /* proved, if it was asked for: no thread waits for ever */
  EdgeId edges[2]; /* two accesses that nothing orders in some abstract execution, or 0 */
  ObjectId object; /* … to this object */
  const char *reason; /* why something was not proved; in the arena */
  /* the size of the automaton of all threads, as far as it was explored */
  uint64_t states, steps;
  uint64_t reduced; /* states in which one thread moved and the others were put off */
} InterleaveAnswer;

void interleave_run(const InterleaveQuestion *question, Arena *arena,
                    InterleaveAnswer *ret_answer);

/* By EdgeId, in the arena: the atomic reads whose writers are all known to come before or to be their
 * own thread. NULL if the flow says nothing. */
const uint8_t *interleave_settled(const Flow *flow, Arena *arena);

#endif
