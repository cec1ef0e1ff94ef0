/* See simplex.h. Measured: an iteration goes through the columns and the factors of the
 * basis, and even without one the program is set up anew. */
#include "net/simplex.h"

#include <limits.h>

SimplexAnswer simplex_run(Clp_Simplex *model, uint64_t entries, uint64_t budget,
                          uint32_t milliseconds, uint64_t *cost) {
  uint64_t size = (uint64_t)Clp_numberRows(model) + (uint64_t)Clp_numberColumns(model);
  uint64_t setup = size * 20 + 5000, each = (size + entries) / 8 + 1500;
  /* Less than the setup costs is not worth being set up for. */
  uint64_t most = (budget > 2 * setup ? budget - setup : setup) / each + 1;
  if (most > INT_MAX) most = INT_MAX;
  Clp_setMaximumIterations(model, (int)most);
  Clp_setMaximumSeconds(model, milliseconds / 1000.0 + 0.001);
  Clp_dual(model, 0);
  uint64_t iterations = (uint64_t)Clp_numberIterations(model);
  *cost += setup + iterations * each;
  if (Clp_status(model) == 0) return SIMPLEX_SOLVED;
  return Clp_status(model) == 3 && iterations >= most ? SIMPLEX_PAUSED : SIMPLEX_FAILED;
}
