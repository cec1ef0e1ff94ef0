/* A run of the abstraction as one of the program: can it be?
 *
 * In: a run of a thread transition system, whose steps are blocks. Each thread has variables of its
 * own here, each execution of a block inputs of its own. Out: the condition of every block and of the
 * error behind the last, over the values that the variables have at that point (for predicates), and
 * over those in the beginning (for the solver). */
#ifndef HEDDLE_ENGINE_CIRC_TRACE_H
#define HEDDLE_ENGINE_CIRC_TRACE_H

#include "engine/circ/abstract.h"

typedef struct {
  uint32_t kind;
  Term *locals; /* a variable of the pool for each of the kind's */
  Term *starts; /* what it begins with, over the values when it is started; 0: anything */
} TraceThread;

typedef struct {
  uint32_t thread;
  CircLabel label;
  Term guard;   /* over the values before the step, in the trace's variables */
  Map change;   /* variable → its value behind, in the trace's variables */
  Map inputs;   /* the block's inputs → the trace's */
  Term reached; /* the guard over the values in the beginning */
  Map before;   /* variable → its value before the step, over the beginning */
} TraceStep;

/* What of a run is not looked at. */
typedef enum {
  FORGETS_NOTHING,
  FORGETS_SHARED, /* what shared variables begin with */
  FORGETS_GIVEN,  /* what new threads get from who starts them */
} TraceForgets;

enum { TRACE_MEET = 2, TRACE_GOALS };

typedef struct {
  const CircPredicates *predicates;
  VEC(TraceThread) threads; /* numbered as in the run; 0 is main */
  VEC(TraceStep) steps;
  /* The events of the error, and that both are at the same bytes; 0: none */
  Term goals[TRACE_GOALS], goals_reached[TRACE_GOALS];
  Map goal_inputs[2]; /* of the blocks that they are in */
  Map value;          /* variable → its value at the end, over the beginning */
  Map owner;          /* variable of a thread → thread + 1, local */
  TraceForgets forgets;
  bool given; /* threads get something */
} CircTrace;

void circ_trace_new(const CircPredicates *predicates, const CircAbstraction *abstraction,
                    const TtsRun *run, TraceForgets forgets, CircTrace *ret);
void circ_trace_free(CircTrace *trace);

/* Predicates that forbid the trace, from the steps and goals that are contradictory: `core` has a flag
 * for each step and, behind them, for each goal. Candidates are terms over variables of the model; they may be
 * known already. */
void circ_trace_predicates(const CircTrace *trace, const uint8_t *core, Terms *terms,
                           void (*found)(void *user, Term candidate), void *user);

/* The same from what the steps of the core have found out, behind each of them. */
void circ_trace_consequences(const CircTrace *trace, const uint8_t *core, Terms *terms,
                             void (*found)(void *user, Term candidate), void *user);

#endif
