/* The lock set engine: every shared location of the program, guarded or questioned.
 *
 * In: the flow of the program (analysis/flow.h). Out: for every location the reason why it is
 * safe, or the pairs of accesses that nothing keeps apart, for the engines behind it; the same
 * for the orders in which locks are taken. What it claims about races is the certificate of
 * certify.h, which proof/proof.h has to accept. */
#ifndef HEDDLE_ENGINE_LOCKSET_LOCKSET_H
#define HEDDLE_ENGINE_LOCKSET_LOCKSET_H

#include "analysis/flow.h"
#include "engine/engine.h"

extern const Engine engine_lockset;

/* Claims every location and the obligation ELSEWHERE, or says what is suspected there. */
void lockset_check_races(EngineContext *context, const Flow *flow);
/* Claims that no thread waits for ever for a lock or a join, if the order in which locks are
 * taken has no circle, on condition that nobody waits for ever elsewhere. */
void lockset_check_deadlocks(EngineContext *context, const Flow *flow);

#endif
