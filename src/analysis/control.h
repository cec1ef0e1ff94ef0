/* Control dependence of one function: which branches decide whether a node is come to.
 *
 * Node n depends on branch m if one way out of m always leads to n and another may not: found by
 * post-dominators (Ferrante, Ottenstein, Warren). Whether a loop ends is a decision too where the
 * loop waits for somebody else; that is not said here but by whoever asks (slice.c). */
#ifndef HEDDLE_ANALYSIS_CONTROL_H
#define HEDDLE_ANALYSIS_CONTROL_H

#include "base/arena.h"
#include "model/program.h"

typedef struct {
  const uint32_t *nodes;
  uint32_t count;
} NodeList;

typedef struct {
  const Function *function;
  NodeList *of;          /* by node of the function, counted from its first */
  const NodeList *loops; /* the nodes of each loop, outer ones and those inside of them */
  uint32_t loop_count;
} Control;

/* Everything lives in the arena. */
Control *control_new(const Program *program, const Function *function, Arena *arena);

#endif
