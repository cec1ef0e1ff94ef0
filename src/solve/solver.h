/* Solvers over terms: one interface, two of them behind it.
 *
 * SOLVER_SAT is the working solver: an own bit-blaster into CaDiCaL. SOLVER_SMT is the second
 * opinion: Z3. They share nothing but the terms. Both live in parts of their own that are loaded
 * when a solver is made (base/part.h). Whoever makes one does so in a child process
 * (base/proc.h), for the libraries behind them may end the process when memory runs out.
 *
 * Solvers are incremental: what was asserted stays, what is assumed holds for one question. */
#ifndef HEDDLE_SOLVE_SOLVER_H
#define HEDDLE_SOLVE_SOLVER_H

#include "base/err.h"
#include "solve/term.h"

typedef enum { SOLVER_SAT, SOLVER_SMT } SolverKind;
typedef enum { SOLVE_UNKNOWN, SOLVE_SAT, SOLVE_UNSAT } SolveAnswer;

typedef struct Solver Solver;

/* What a question may cost. Zero: no limit. */
typedef struct {
  uint64_t effort;          /* conflicts (SAT), resource units (SMT): machines agree */
  double deadline;          /* by clock_now */
  const volatile int *stop; /* polled; or NULL */
} SolveLimit;

typedef struct {
  uint64_t variables, clauses, conflicts, questions;
  double seconds; /* in the solver itself */
} SolverStats;

/* NULL after filling `err`: the part is missing. The terms must outlive the solver. */
Solver *solver_new(Terms *terms, SolverKind kind, Err *err);
void solver_free(Solver *solver); /* accepts NULL */

/* `fact` (one bit) holds from now on. */
void solver_assert(Solver *solver, Term fact);
/* Is there a model of everything asserted and of the `count` assumptions (one bit each)? */
SolveAnswer solver_check(Solver *solver, const Term *assumptions, uint32_t count,
                         const SolveLimit *limit);
/* After SOLVE_SAT: the value of any term in the model, (bits + 63) / 64 words; variables that the
 * question does not mention are 0. Terms made after the question are fine. */
void solver_value(Solver *solver, Term t, uint64_t *ret_words);
uint64_t solver_number(Solver *solver, Term t); /* the lowest 64 bits */
/* After SOLVE_UNSAT: the assumption was needed for the contradiction (some set of such is
 * contradictory; not always a smallest one). */
bool solver_failed(Solver *solver, Term assumption);

SolverStats solver_stats(const Solver *solver);

/* Everything asserted and assumed, for other tools. */
void solver_write_smtlib(Solver *solver, const Term *assumptions, uint32_t count,
                         Str *out);
/* SOLVER_SAT only: the clauses as they stand. False: this solver has none. Facts that waited are
 * translated for it, so values and failed assumptions of the last question are gone. */
bool solver_write_dimacs(Solver *solver, const Term *assumptions, uint32_t count,
                         Str *out);

#endif
