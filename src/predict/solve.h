/* From a wanted situation to an order of steps that leads there.
 *
 * A situation says for some threads at which of their positions they should stand, all at
 * the same time: before two accesses that race, before the acquisitions of a circle of
 * locks. Six ways are tried, from cheap to dear:
 *   values   only what the situation needs, in the recorded order, with all that it reads
 *            from: the program sees the values that it saw
 *   delay    the steps as they were recorded, but the wanted threads wait at their
 *            positions and everybody else goes on
 *   need     only what the situation needs, in the recorded order
 *   turns    all other threads first as far as they can go; the last of the wanted threads
 *            first; the first of them first
 *   search   the CSP checker, over the orders of the events that matter
 *   blind    as delay, but atomic operations may read other values than they did: whether
 *            the program goes the same way then, only a replay can tell
 * Asked again, further orders come out. Every order was checked against moment.h.
 *
 * The search reorders only a window of the run when one is asked for, or when the situation
 * needs more steps than it may take; then it does not know what it would have found without.
 *
 * In a long run, delay and turns look only at the steps up to twice as far as the
 * situation reaches, and some more: what comes much later does not help. */
#ifndef HEDDLE_PREDICT_SOLVE_H
#define HEDDLE_PREDICT_SOLVE_H

#include "predict/run.h"
#include "predict/sources.h"
#include "predict/window.h"

#include <stdatomic.h>

typedef struct {
  uint32_t thread, position;
} Target;

typedef VEC(uint32_t) StepOrder;

typedef struct {
  uint64_t search_states; /* for one question to the CSP checker */
  uint32_t search_steps;  /* no search for situations that need more steps */
  const atomic_bool *stop;
  double deadline;        /* see deadline.h */
  bool brief;             /* in a long run: what is needed first, then delay */
  bool as_recorded;       /* atomics read what they read: nothing blind */
  uint32_t window;        /* of the search, see window.h; 0: none */
  const Sources *sources; /* what the reads saw, or NULL: not known */
} SolveLimits;

typedef struct Solver Solver;

typedef enum {
  SOLVE_NONE, /* no (further) order leads there */
  SOLVE_FOUND,
  SOLVE_UNDECIDED, /* a limit was reached before one was found */
} SolveAnswer;

/* A question; `targets` of different threads. Without targets the question is whether the
 * run can end in a deadlock. The targets are copied, the limits are not. */
Solver *solve_begin(const Run *run, const Target *targets, uint32_t count,
                    const SolveLimits *limits);
/* Of a question without targets: only steps of the window change places (window.h). */
void solve_set_window(Solver *solver, Window window);
/* The next order; `ret` is cleared first and is the caller's. */
SolveAnswer solve_next(Solver *solver, StepOrder *ret);
/* Only the first way (of `brief`: two of them), which takes few walks over the run;
 * solve_next is not concerned. */
SolveAnswer solve_quick(Solver *solver, StepOrder *ret);
/* The last order is the one that solve_quick gives. */
bool solve_was_quick(const Solver *solver);
/* Leaves out the first way: solve_quick was asked before. */
void solve_skip_quick(Solver *solver);
/* Leaves out all ways before the search. */
void solve_only_search(Solver *solver);
/* What was spent so far: about as many looks at a step; a state of the search is dearer. */
uint64_t solve_work(const Solver *solver);
/* "values", "delay", "need", "turns", "search" or "blind": who found the last one. */
const char *solve_way(const Solver *solver);
void solve_end(Solver *solver);

#endif
