/* Stands in for sat.c and smt.c (and all that only they use) in the tool: the libraries behind them
 * take longer to load than most commands to run. A part gives a table of its functions, so two
 * functions are all that is looked up. */
#include "base/part.h"
#include "solve/back.h"

typedef const SolverBack *BackFunction(Err *err);

static const SolverBack *load(const char *part, const char *function, Err *err) {
  BackFunction *found = (BackFunction *)part_function(part, function, err);
  return found ? found(err) : NULL;
}

const SolverBack *solver_back_sat(Err *err) {
  return load("libheddle-sat.so", "solver_back_sat", err);
}

const SolverBack *solver_back_smt(Err *err) {
  return load("libheddle-smt.so", "solver_back_smt", err);
}
