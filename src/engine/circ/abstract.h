/* Predicate abstraction: a program with threads as a thread transition system.
 *
 * In: the blocks as formulas (model.h) and predicates. Out: a system (tts.h) whose local states
 * are locations with the values of the predicates about a thread's own variables, and whose shared
 * groups are those of the predicates. It has a step wherever some values of the variables allow one: the
 * abstraction is exact for each block, by asking the solver for every combination there is. Only
 * local states that a thread can come to are made, whatever the shared ones are.
 *
 * Answers of the solver are kept by what was asked, so a predicate that is added later costs only
 * the blocks that it is about. */
#ifndef HEDDLE_ENGINE_CIRC_ABSTRACT_H
#define HEDDLE_ENGINE_CIRC_ABSTRACT_H

#include "engine/circ/predicate.h"
#include "engine/circ/tts.h"
#include "solve/solver.h"

enum {
  CIRC_PREDICATES = 60
}; /* of one kind of thread, or of one group: bits of a word */

/* What a step of the system stands for. */
typedef struct {
  uint32_t kind, block; /* CircKind.all */
} CircLabel;

/* What an error of the system stands for: one event, or two in different threads. */
typedef struct {
  CircLabel at[2];
  uint32_t event[2]; /* CircKind.events */
  uint32_t count;
} CircErrorLabel;

/* May these two edges, in two threads, be at the same bytes, one of them writing? */
typedef bool CircConflict(void *user, EdgeId a, EdgeId b);

typedef struct CircSolver CircSolver;

/* NULL after filling `err`. One for all abstractions of a model. */
CircSolver *circ_solver_new(Terms *terms, Err *err);
void circ_solver_free(CircSolver *solver); /* accepts NULL */
Solver *circ_solver_plain(CircSolver *solver);

typedef struct {
  const CircPredicates *predicates;
  CircSolver *solver;
  CircConflict *conflict; /* of accesses; assertions have none */
  void *user;
  SolveLimit limit;
  uint32_t most_steps;
} CircAbstractQuestion;

/* A thread in this local state is next to do what is asked about, if groups have these values. */
typedef struct {
  uint32_t local;
  CircLabel label;
  uint32_t event;
  uint32_t first_touch, touch_count; /* Tts.touches */
  Term known; /* the event's guard, and what is known there: over the values before */
} CircReady;

/* Two that are ready, by their numbers, and never at the same bytes. */
typedef struct {
  uint32_t one, two;
} CircApart;

typedef struct {
  Tts tts;
  VEC(CircLabel) labels;
  VEC(CircErrorLabel) errors;
  VEC(uint64_t)
  valuations; /* of each local state: a bit for each predicate of its kind */
  /* What a certificate needs: the values of each group, one group after the other, a bit for each of its
   * predicates; and who is ready for what. */
  VEC(uint64_t) group_values;
  VEC(CircReady) ready;
  VEC(CircApart) apart;
} CircAbstraction;

/* Both accesses, of so many bytes, touch a byte together. */
Term circ_overlap(Terms *terms, Term a, uint32_t a_size, Term b, uint32_t b_size);

/* False: it became too large, or the time was over; `ret_why` is a constant. */
bool circ_abstract(const CircAbstractQuestion *question, CircAbstraction *ret,
                   const char **ret_why);
void circ_abstraction_free(CircAbstraction *abstraction);

#endif
