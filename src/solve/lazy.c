/* Stands in for sat.c, smt.c and chc.c (and all that only they use) in the tool: the libraries behind them
 * take longer to load than most commands to run. A part gives a table of its functions, so three
 * functions are all that is looked up. */
#include "base/part.h"
#include "solve/back.h"
#include "solve/chc.h"

typedef const SolverBack *BackFunction(Err *err);

static const SolverBack *load(const char *part, const char *function, Err *err) {
  BackFunction *found = (BackFunction *)part_function(part, function, err);
  return found ? found(err) : NULL;
}

const SolverBack *solver_back_sat(Err *err) {
  return load("libheddle-sat.so", "solver_back_sat", err);
}

ChcAnswer chc_solve(const Chc *chc, ChcSort sort, const SolveLimit *limit,
                    ChcParts *ret_parts) {
  typedef ChcAnswer Function(const Chc *, ChcSort, const SolveLimit *, ChcParts *);
  Err err = {0};
  Function *found = (Function *)part_function("libheddle-smt.so", "chc_solve", &err);
  err_free(&err);
  return found ? found(chc, sort, limit, ret_parts) : CHC_NO_PLACE;
}

const SolverBack *solver_back_smt(Err *err) {
  return load("libheddle-smt.so", "solver_back_smt", err);
}
