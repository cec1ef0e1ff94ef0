/* Linear programming for invariants.
 *
 * For a marking m the question is whether some y in [0, 1] per place, which no transition
 * increases, has y·m > y·M0; traps take part as pool.h says. By duality there is none
 * exactly when the state equation M0 + C·x >= m has a solution x >= 0 (that marks the
 * traps). The answer comes from floating point: it is a proposal, and whoever uses it
 * checks it. The matrix stays as it is and only the objective changes from one marking to
 * the next, so every solution starts where the one before ended. */
#ifndef HEDDLE_NET_LP_H
#define HEDDLE_NET_LP_H

#include "base/err.h"
#include "net/net.h"

typedef struct Lp Lp;

/* Before anything else of this header and of support.h, by one thread at a time: in the
 * tool it loads them and their library. False after filling `err`. */
bool lp_prepare(Err *err);

typedef enum {
  LP_GAVE_UP,  /* the clock, or numerical trouble */
  LP_PAUSED,   /* the budget is used up: asked again, it goes on from there */
  LP_FEASIBLE, /* the state equation has a solution: see lp_firings */
  LP_EXCLUDED, /* y was found: see lp_weights */
} LpAnswer;

Lp *lp_new(const Net *net);
void lp_free(Lp *lp); /* accepts NULL */

/* Which transitions may fire from now on: those where `alive` is not zero, all when it is
 * NULL. What is excluded then, and the weights, hold for runs of these only. */
void lp_restrict(Lp *lp, const uint8_t *alive);

/* About `budget` at the most; the work is added to *cost, in units of about 10 ns that do
 * not depend on the clock. `milliseconds` is for emergencies. */
LpAnswer lp_solve(Lp *lp, MarkingView marking, uint64_t budget, uint32_t milliseconds,
                  uint64_t *cost);

/* After LP_EXCLUDED: the weight of each place, and the multiple of each trap. */
const double *lp_weights(Lp *lp);
const double *lp_trap_weights(Lp *lp);
/* After LP_FEASIBLE: how often each transition fires. */
const double *lp_firings(Lp *lp);

/* One more trap, numbered from 0. */
void lp_add_trap(Lp *lp, const uint32_t *places, uint32_t len);

#endif
