/* Claims: what an engine says about obligations. It is not believed by itself.
 *
 * A claim of safety rests on a kind of evidence, which decides what checks it, and may have
 * conditions: other obligations without which it says nothing. It reads: in no execution is this
 * obligation violated, unless a condition was violated before (races), or is violated as well
 * (deadlocks). So circles of conditions about races are harmless: the first race of an execution
 * has no race before it. Circles about deadlocks are not, and stay open.
 *
 * An error is not claimed but shown, by a witness (engine/hunt/hunt.h). */
#ifndef HEDDLE_VERDICT_CLAIM_H
#define HEDDLE_VERDICT_CLAIM_H

#include "verdict/obligation.h"

/* What a proof consists of, and by that what accepts it. */
typedef enum {
  PROOF_NONE,     /* nothing: the claim is not admitted */
  PROOF_LOCKSETS, /* facts about locks and threads: a certificate for proof/proof.h */
  PROOF_NET,      /* an inductive set of markings, which net/check.h has accepted */
  PROOF_STATES, /* a closed set of states, explored by its engine alone: nothing checks it */
  PROOF_CONTEXT, /* predicates and a closed abstraction: a certificate for proof/context.h */
  PROOF_MODULAR, /* an invariant about few threads at a time: for proof/context.h, or it is none */
  PROOF_SCHEDULES, /* bounds within which no schedule violates it: for engine/kiss/prove.h */
  PROOF_ORDERS, /* an order in which all threads take locks: the same certificate as for LOCKSETS */
} ProofKind;

typedef struct {
  uint32_t obligation;               /* index in Obligations.list */
  Verdict verdict;                   /* SAFE, or UNKNOWN with what is suspected */
  ProofKind proof;                   /* of SAFE */
  const struct KissProof *schedules; /* of PROOF_SCHEDULES */
  const char *
      certificate; /* of PROOF_CONTEXT and PROOF_MODULAR: the text; NULL: nothing can be checked */
  Reason reason; /* of SAFE, of a location; PROVED unless the engine knows better */
  const char *const *guards;
  uint32_t guard_count;
  const char *story;          /* what keeps its accesses apart, in a sentence; or NULL */
  const uint32_t *conditions; /* obligations */
  uint32_t condition_count;
  const Suspicion *suspicions; /* of UNKNOWN */
  uint32_t suspicion_count;
} Claim;

#endif
