/* Partial order reduction: which of the rules that are ready are enough to follow.
 *
 * A reducer belongs to one thread; it keeps a reference to the machine. */
#ifndef HEDDLE_CSP_REDUCE_H
#define HEDDLE_CSP_REDUCE_H

#include "csp/machine.h"

typedef struct CspReducer CspReducer;

/* With `only_internal`, only internal rules are followed first, which preserves traces
 * and failures; without it, deadlocks are preserved and nothing else. */
CspReducer *csp_reducer_new(const CspMachine *m, bool only_internal);
void csp_reducer_free(CspReducer *r); /* accepts NULL */

/* Chooses among moves->ready, which csp_machine_ready has filled: keep[i] says whether to
 * follow it. False when all are needed (then `keep` is not set). */
bool csp_reduce(CspReducer *r, const CspMoves *moves, bool *keep);

/* Goes on from `state`, which was entered by `rule` out of the state that `moves` stands
 * for, as long as what moved has only one way to go on and nobody else has a say in it.
 * `state` becomes the last state; the rules taken are appended to `log` unless it is
 * NULL. The result is the number of steps. */
uint32_t csp_chase(CspReducer *r, CspMoves *moves, uint64_t *state, uint32_t rule,
                   CspRuleVec *log);

#endif
