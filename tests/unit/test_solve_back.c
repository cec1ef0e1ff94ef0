/* Both solvers against numbers: see solve_naive.h. */
#include "solve/solver.h"
#include "rounds.h"
#include "solve_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>

static Term number(Terms *terms, const Naive *value) {
  uint64_t words[NAIVE_WORDS];
  naive_words(value, words);
  return term_wide(terms, value->bits, words);
}

/* With the variables fixed, every sample has its value and no other. */
static void ask(Sampler *s, SolverKind kind, uint64_t seed) {
  Err err = {0};
  Solver *solver = solver_new(s->terms, kind, &err);
  assert_non_null(solver);
  Term fixed[SAMPLE_VARS + 1];
  for (uint32_t i = 0; i < SAMPLE_VARS; i++)
    fixed[i] =
        term_eq(s->terms, s->sample[i].term, number(s->terms, &s->sample[i].value));
  for (uint32_t i = SAMPLE_VARS; i < s->count; i++) {
    Term value = number(s->terms, &s->sample[i].value);
    Term same = term_eq(s->terms, s->sample[i].term, value);
    fixed[SAMPLE_VARS] = same;
    SolveAnswer answer = solver_check(solver, fixed, SAMPLE_VARS + 1, NULL);
    if (answer != SOLVE_SAT)
      fail_msg("seed %llu, sample %u: no model", (unsigned long long)seed, i);
    for (uint32_t k = 0; k <= SAMPLE_VARS; k++)
      if (solver_number(solver, fixed[k]) != 1)
        fail_msg("seed %llu, sample %u: the model is none", (unsigned long long)seed, i);
    fixed[SAMPLE_VARS] = term_not(s->terms, same);
    answer = solver_check(solver, fixed, SAMPLE_VARS + 1, NULL);
    if (answer != SOLVE_UNSAT)
      fail_msg("seed %llu, sample %u: another value", (unsigned long long)seed, i);
    Term needed[SAMPLE_VARS + 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k <= SAMPLE_VARS; k++)
      if (solver_failed(solver, fixed[k])) needed[count++] = fixed[k];
    answer = solver_check(solver, needed, count, NULL);
    if (answer != SOLVE_UNSAT)
      fail_msg("seed %llu, sample %u: no core", (unsigned long long)seed, i);
  }
  solver_free(solver);
}

static void random_range(SolverKind kind, uint32_t widest, uint64_t first,
                         uint32_t count) {
  static Sampler s;
  for (uint64_t seed = first; seed < first + count; seed++) {
    Terms *terms = terms_new();
    sampler_fill(&s, terms, seed, widest, 20);
    ask(&s, kind, seed);
    terms_free(terms);
  }
}

static void sat_agrees(void **state) {
  (void)state;
  random_range(SOLVER_SAT, 8, 1, rounds(60));
  random_range(SOLVER_SAT, 70, 10001, rounds(20));
  random_range(SOLVER_SAT, 128, 20001, rounds(4));
}

static void smt_agrees(void **state) {
  (void)state;
  random_range(SOLVER_SMT, 8, 1, rounds(9));
  random_range(SOLVER_SMT, 70, 10001, rounds(4));
  random_range(SOLVER_SMT, 128, 20001, rounds(1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sat_agrees),
      cmocka_unit_test(smt_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
