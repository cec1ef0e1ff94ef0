/* Context inference: is an error excluded for any number of threads, by the values of variables?
 *
 * Counterexample-guided abstraction refinement. The program with its predicates becomes a thread
 * transition system (abstract.h), which is decided for any number of threads (tts.h). Without an
 * error it is proved. A run to an error is followed in the program's own formulas (trace.h): if it
 * can be, it is a plan; if it cannot, predicates are learnt from the contradiction, and it begins
 * again.
 *
 * Paper: Henzinger, Jhala, Majumdar, "Race checking by context inference", PLDI 2004. See
 * docs/circ.md. */
#ifndef HEDDLE_ENGINE_CIRC_CIRC_H
#define HEDDLE_ENGINE_CIRC_CIRC_H

#include "engine/circ/trace.h"
#include "engine/guide.h"

typedef enum { CIRC_UNKNOWN, CIRC_SAFE, CIRC_FEASIBLE } CircVerdict;

typedef struct {
  CircModel *model;
  CircConflict *conflict;
  void *user;
  const char *given; /* predicates to begin with (given.h), or NULL */
  double deadline;
  const volatile int *stop; /* or NULL */
  /* Or NULL: told about every round. */
  void (*tell)(void *user, const char *text);
} CircRequest;

typedef struct {
  CircVerdict verdict;
  const char *reason; /* of UNKNOWN; constant */
  uint32_t rounds;
  CircPredicates *predicates;  /* in the order in which they were learnt */
  CircAbstraction abstraction; /* of SAFE: the last one */
  TtsAnswer answer;
  Plan plan; /* of FEASIBLE; in the arena */
} CircAnswer;

void circ_run(const CircRequest *request, Arena *arena, CircAnswer *ret);
void circ_answer_free(CircAnswer *answer);

/* Adds what the text says about variables of the model. It was checked before. */
void circ_given_add(CircModel *model, CircPredicates *predicates, const char *text);

/* The plan of a trace that the solver has just found to be possible. */
Plan circ_plan(const CircTrace *trace, Solver *solver, const CircErrorLabel *error,
               const TtsRun *run, Arena *arena);

#endif
