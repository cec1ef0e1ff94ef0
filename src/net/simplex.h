/* The dual simplex method of Clp, by budget: what it costs is counted in the units of the
 * searches, about 10 ns each, so that the turns they take do not depend on the clock. */
#ifndef HEDDLE_NET_SIMPLEX_H
#define HEDDLE_NET_SIMPLEX_H

#include <coin/Clp_C_Interface.h>
#include <stdint.h>

typedef enum {
  SIMPLEX_FAILED, /* the clock, or numerical trouble */
  SIMPLEX_PAUSED, /* the budget is used up; the basis stays for the next call */
  SIMPLEX_SOLVED,
} SimplexAnswer;

/* `entries` of the matrix; the cost is added to *cost. */
SimplexAnswer simplex_run(Clp_Simplex *model, uint64_t entries, uint64_t budget,
                          uint32_t milliseconds, uint64_t *cost);

#endif
