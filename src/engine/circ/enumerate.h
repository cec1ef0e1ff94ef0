/* All-SAT: every combination of truth values that some terms can have. */
#ifndef HEDDLE_ENGINE_CIRC_ENUMERATE_H
#define HEDDLE_ENGINE_CIRC_ENUMERATE_H

#include "engine/circ/abstract.h"

typedef VEC(Term) TermList;

/* Combinations as bits, the first term is bit 0; at most 64 terms. */
typedef struct {
  const uint64_t *data;
  uint32_t len;
} Combinations;

/* The combinations of `what` for which all of `given` hold. False: too many, or a limit. The result
 * belongs to the solver, which remembers it. */
bool circ_enumerate(CircSolver *solver, const TermList *given, const TermList *what,
                    const SolveLimit *limit, Combinations *ret);

/* A substitution (term_substitute) that is kept under this key; empty the first time. */
Map *circ_substitution(CircSolver *solver, uint64_t key);

#endif
