/* What a back end of solver.h offers. The two of them are parts of heddle (base/part.h): in the tool
 * lazy.c stands in for these functions and loads the part; tests are linked with everything. */
#ifndef HEDDLE_SOLVE_BACK_H
#define HEDDLE_SOLVE_BACK_H

#include "solve/solver.h"

typedef struct {
  void *(*open)(Terms *terms);
  void (*close)(void *back);
  void (*assert_fact)(void *back, Term fact);
  SolveAnswer (*check)(void *back, const Term *assumptions, uint32_t count,
                       const SolveLimit *limit);
  /* After SOLVE_SAT: a variable's value, all zero if the question does not mention it. */
  void (*var_value)(void *back, Term var, uint64_t *ret_words);
  /* After SOLVE_UNSAT, of one of the assumptions. */
  bool (*failed)(void *back, Term assumption);
  void (*stats)(void *back, SolverStats *ret); /* without `questions` and `seconds` */
  /* NULL: it has no clauses. */
  void (*write_dimacs)(void *back, const Term *assumptions, uint32_t count, Str *out);
} SolverBack;

/* NULL after filling `err`: the part is missing. */
const SolverBack *solver_back_sat(Err *err);
const SolverBack *solver_back_smt(Err *err);

#endif
