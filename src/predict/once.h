/* The run as it would have been, had another thread run the routine of a pthread_once.
 *
 * Who calls pthread_once first runs the routine, and everybody else comes after it: in the
 * recorded run that order looks like one that nothing can change, and it hides what lies
 * before the call of the one and behind the call of the other. It is the choice of the
 * run, not of the program. A swap names a call that found the routine done; swapped, that
 * call runs it, and the one that ran it finds it done. Whether the routine would do the
 * same things in the other thread, only a replay can tell. */
#ifndef HEDDLE_PREDICT_ONCE_H
#define HEDDLE_PREDICT_ONCE_H

#include "predict/solve.h"

typedef struct {
  uint32_t begin, end; /* steps: where the routine ran */
  uint32_t seen;       /* the call that is to run it */
} OnceSwap;

typedef VEC(OnceSwap) OnceSwaps;

/* The first call of each other thread, for each routine. Appends to `ret`. */
void once_find(const Run *run, OnceSwaps *ret);

/* The trace of the other run: the steps that lead to both calls, the swapped calls, and
 * then what can still follow of the recorded steps. False when no order leads there; else
 * `ret` must be freed with trace_free, before the trace of the run. */
bool once_swap(const Run *run, const OnceSwap *swap, const SolveLimits *limits,
               Trace *ret);

#endif
