/* Can some predicates of a certificate be so at once? By trying small values, without any solver. */
#ifndef HEDDLE_TESTS_CIRC_POSSIBLE_H
#define HEDDLE_TESTS_CIRC_POSSIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* A predicate as it is written in certificates, and whether it holds. */
typedef struct {
  const char *at, *end;
  bool holds;
} Says;

/* Variable 0 is the number of an element, below `elements`. True as well: a predicate has operations that
 * are not known here. */
bool is_possible(const Says *says, uint32_t count, uint32_t elements);

#endif
