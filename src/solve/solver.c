/* One interface for both back ends: see solver.h. What they share is kept here: the facts (for those
 * who write them out), the values of the last model, the count of questions and their time. */
#include "solve/solver.h"

#include "base/clock.h"
#include "base/vec.h"
#include "solve/back.h"
#include "solve/smtlib.h"
#include "solve/term_internal.h"

struct Solver {
  Terms *terms;
  const SolverBack *functions;
  void *back;
  VEC(Term) facts;
  TermValues *values; /* of the last model */
  SolveAnswer answer; /* to the last question; nothing was said since */
  uint64_t questions;
  double seconds;
};

Solver *solver_new(Terms *terms, SolverKind kind, Err *err) {
  const SolverBack *functions =
      kind == SOLVER_SAT ? solver_back_sat(err) : solver_back_smt(err);
  if (!functions) return NULL;
  Solver *solver = mem_alloc_zero(sizeof *solver);
  solver->terms = terms;
  solver->functions = functions;
  solver->back = functions->open(terms);
  solver->values = term_values_new(terms);
  return solver;
}

void solver_free(Solver *solver) {
  if (!solver) return;
  solver->functions->close(solver->back);
  term_values_free(solver->values);
  vec_free(&solver->facts);
  mem_free(solver);
}

void solver_assert(Solver *solver, Term fact) {
  assert(bits_of(solver->terms, fact) == 1);
  if (term_is_true(solver->terms, fact)) return;
  vec_push(&solver->facts, fact);
  solver->functions->assert_fact(solver->back, fact);
}

SolveAnswer solver_check(Solver *solver, const Term *assumptions, uint32_t count,
                         const SolveLimit *limit) {
  for (uint32_t i = 0; i < count; i++)
    assert(bits_of(solver->terms, assumptions[i]) == 1);
  double start = clock_now();
  term_values_clear(solver->values);
  solver->questions++;
  solver->answer = solver->functions->check(solver->back, assumptions, count, limit);
  solver->seconds += clock_now() - start;
  return solver->answer;
}

static void var_value(void *user, Term var, uint64_t *words) {
  Solver *solver = user;
  solver->functions->var_value(solver->back, var, words);
}

static const uint64_t *value_of(Solver *solver, Term t) {
  assert(solver->answer == SOLVE_SAT && "only a model has values");
  return term_values_get(solver->values, t, var_value, solver);
}

void solver_value(Solver *solver, Term t, uint64_t *ret_words) {
  const uint64_t *words = value_of(solver, t);
  memcpy(ret_words, words, wide_len(bits_of(solver->terms, t)) * sizeof *words);
}

uint64_t solver_number(Solver *solver, Term t) {
  return value_of(solver, t)[0];
}

bool solver_failed(Solver *solver, Term assumption) {
  assert(solver->answer == SOLVE_UNSAT && "only a contradiction has causes");
  return solver->functions->failed(solver->back, assumption);
}

SolverStats solver_stats(const Solver *solver) {
  SolverStats stats = {0};
  solver->functions->stats(solver->back, &stats);
  stats.questions = solver->questions;
  stats.seconds = solver->seconds;
  return stats;
}

void solver_write_smtlib(Solver *solver, const Term *assumptions, uint32_t count,
                         Str *out) {
  smtlib_write(solver->terms, solver->facts.data, solver->facts.len, assumptions, count,
               out);
}

bool solver_write_dimacs(Solver *solver, const Term *assumptions, uint32_t count,
                         Str *out) {
  if (!solver->functions->write_dimacs) return false;
  solver->answer = SOLVE_UNKNOWN; /* translating what waits ends the last model */
  solver->functions->write_dimacs(solver->back, assumptions, count, out);
  return true;
}
