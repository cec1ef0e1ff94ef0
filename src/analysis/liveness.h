/* Liveness: which locals may still be read at a node before they are set again.
 *
 * Computed for one function at a time, when it is first asked about; backwards, with one bit per
 * local, until nothing changes. What is not live need not be remembered: most temporaries live
 * for one edge only. */
#ifndef HEDDLE_ANALYSIS_LIVENESS_H
#define HEDDLE_ANALYSIS_LIVENESS_H

#include "model/program.h"

#include <stdbool.h>

typedef struct Liveness Liveness;

Liveness *liveness_new(const Program *program);
void liveness_free(Liveness *liveness);

/* The live locals at a node: bit i is the i-th local of its function. */
const uint64_t *liveness_at(Liveness *liveness, NodeId node);
static inline bool live_set_has(const uint64_t *set, uint32_t local) {
  return set[local / 64] >> (local % 64) & 1;
}

/* May the value that `local` has at `node` be read later? Both belong to one function. */
bool liveness_has(Liveness *liveness, NodeId node, LocalId local);

#endif
