/* The normal form of a specification, made as far as a check asks for it.
 *
 * A node is the set of all states that one trace can lead to, closed under internal
 * steps. It has at most one successor per event, its minimal acceptances (the smallest
 * sets of events that a stable state of it offers) and a mark when it may diverge. */
#ifndef HEDDLE_CSP_NORM_H
#define HEDDLE_CSP_NORM_H

#include "csp/machine.h"
#include "csp/store.h"

typedef struct CspAfter {
  uint32_t event, node; /* node + 1; 0 when it was not made yet */
} CspAfter;

typedef struct CspNormNode {
  uint32_t *states; /* sorted */
  uint32_t state_count;
  CspAfter *after; /* sorted by event; EVENT_TICK may be among them */
  uint32_t after_count;
  uint32_t **acceptances; /* each sorted and ended by UINT32_MAX */
  uint32_t acceptance_count;
  bool diverges;
} CspNormNode;

typedef struct CspNorm {
  Csp *csp;
  CspMachine *machine;
  CspStore states;
  CspMoves moves;
  VEC(CspEdge) edges;     /* of all states */
  VEC(uint64_t) edges_of; /* per state: first edge + 1 in the low half, count above */
  VEC(CspNormNode) nodes;
  StrMap interned;
  uint64_t node_bytes; /* of what the nodes point to */
  uint32_t *mark;      /* scratch per state */
  uint32_t mark_cap;
} CspNorm;

/* Node 0 is the initial one. The caller frees it; nothing in it fails with a jump except
 * memory limits (csp_limit), for which it must be reachable from the context's owner. */
void csp_norm_init(CspNorm *norm, Csp *csp, CspMachine *machine);
void csp_norm_free(CspNorm *norm);
/* Bytes in use, about. */
uint64_t csp_norm_memory(const CspNorm *norm);
/* The node after the event, or UINT32_MAX when the event is not possible. */
uint32_t csp_norm_after(CspNorm *norm, uint32_t node, uint32_t event);
/* Whether the node has an acceptance inside `offered` (sorted). */
bool csp_norm_accepts(const CspNorm *norm, uint32_t node, const uint32_t *offered,
                      uint32_t count);

#endif
