/* The checkers of evidence. They share no code with the searches: of the folder they use
 * the net and the evidence, which are data, and nothing else. */
#ifndef HEDDLE_NET_CHECK_H
#define HEDDLE_NET_CHECK_H

#include "base/str.h"
#include "net/evidence.h"
#include "net/limits.h"

typedef enum {
  CHECK_FAILS,      /* `why` says where */
  CHECK_UNFINISHED, /* the time was up */
  CHECK_HOLDS,
} CheckResult;

/* Fires the run step by step with tokens in every place counted. */
CheckResult check_firing_run(const Net *net, const NetEvidence *evidence, Str *why);

/* Checks the proof by its definition (evidence.h): siphon, traps, invariants, and that
 * the basis is closed. */
CheckResult check_proof(const Net *net, const NetEvidence *evidence,
                        const NetLimits *limits, Str *why);

/* Checks a cover by its definition. */
CheckResult check_cover(const Net *net, const NetEvidence *evidence,
                        const NetLimits *limits, Str *why);

/* The smaller net that the proof is about, when it names places that were left out: with
 * the same numbers of places. NULL when one of them cannot be left out. */
Net *check_fused(const Net *net, const NetEvidence *evidence, Str *why);

/* Whichever it is. */
CheckResult check_evidence(const Net *net, const NetEvidence *evidence,
                           const NetLimits *limits, Str *why);

#endif
