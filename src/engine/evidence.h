/* Evidence: a witness turns a warning into an error, or becomes an error of its own. */
#ifndef HEDDLE_ENGINE_EVIDENCE_H
#define HEDDLE_ENGINE_EVIDENCE_H

#include "engine/hunt/hunt.h"
#include "engine/lockset/lockset.h"
#include "engine/narrate.h"
#include "verdict/result.h"

/* Tells the witness as a finding with the verdict UNSAFE. A race belongs to the candidate
 * with the same two edges and the same object, whose warning it replaces; a deadlock
 * replaces a warning whose waits are all among its own. `flow` may be NULL if there are
 * no candidates. */
void evidence_add(CheckResult *result, const CandidateVec *candidates, const Flow *flow,
                  const Witness *witness);

#endif
