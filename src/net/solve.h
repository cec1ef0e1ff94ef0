/* Coverability: is a marking above some target of the net reachable?
 *
 * Reduces the net to its core, searches, translates the evidence back and has it checked.
 * A verdict is given only with evidence that the checker accepted. */
#ifndef HEDDLE_NET_SOLVE_H
#define HEDDLE_NET_SOLVE_H

#include "net/backward.h"
#include "net/evidence.h"
#include "net/limits.h"

typedef enum { NET_UNKNOWN, NET_SAFE, NET_UNSAFE } NetVerdict;

typedef struct {
  NetVerdict verdict;
  char *reason; /* of NET_UNKNOWN; owned */
  bool defect;  /* the reason is a defect of heddle, as evidence that does not hold */
  NetEvidence evidence; /* of the other two */
  const char *method;   /* what decided */
  uint32_t core_places, core_transitions, core_targets;
  uint32_t invariants, traps; /* found */
  uint64_t threads; /* NET_UNSAFE: that the run needs, where tokens are threads */
  bool least;       /* no run needs fewer */
  uint64_t seen;    /* markings of the forward search */
  uint64_t covered; /* markings of the coverability tree */
  BackwardStats stats;
} NetResult;

typedef enum {
  NET_ALL,      /* everything, whichever ends first */
  NET_PLAIN,    /* Figure 4 of the paper alone: no exclusion, no forward search */
  NET_COVER,    /* the coverability set alone, where it is for the net */
  NET_BACKWARD, /* the backward search alone, with exclusion */
} NetSearch;

typedef struct {
  NetLimits limits;
  NetSearch search;
  bool any_run; /* do not look for a run with fewer threads */
} NetOptions;

void net_solve(const Net *net, const NetOptions *options, NetResult *ret);
void net_result_free(NetResult *result);

#endif
