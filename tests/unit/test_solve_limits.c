/* What solvers do at their edges: definitions where arithmetic leaves something open, limits of time
 * and effort, depth, facts and assumptions, texts for other tools. Every test asks both. */
#include "base/clock.h"
#include "solve/solver.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>
#include <ccadical.h>
#include <z3.h>

static const SolverKind kinds[] = {SOLVER_SAT, SOLVER_SMT};
enum { KINDS = 2 };

static Terms *terms;
static Solver *solver;

static void begin(SolverKind kind) {
  Err err = {0};
  terms = terms_new();
  solver = solver_new(terms, kind, &err);
  assert_non_null(solver);
}

static void end(void) {
  solver_free(solver);
  terms_free(terms);
}

static Term k(uint32_t bits, uint64_t value) {
  return term_const(terms, bits, value);
}

static Term var(uint32_t bits) {
  return term_var(terms, bits, "x");
}

static SolveAnswer ask(Term assumption) {
  return solver_check(solver, &assumption, 1, NULL);
}

/* It holds for all values, and the rules did not see it. */
static void always(Term claim) {
  assert_int_equal(term_kind(terms, claim) == TERM_CONST, 0);
  assert_int_equal(ask(term_not(terms, claim)), SOLVE_UNSAT);
}

/* The divisor is 0 by a fact, so that no rule sees it. */
static void by_zero(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term a = var(9), zero = var(9);
    solver_assert(solver, term_eq(terms, zero, k(9, 0)));
    always(term_eq(terms, term_udiv(terms, a, zero), k(9, 511)));
    always(term_eq(terms, term_urem(terms, a, zero), a));
    always(term_eq(terms, term_srem(terms, a, zero), a));
    Term minus = term_slt(terms, a, k(9, 0));
    always(term_eq(terms, term_sdiv(terms, a, zero),
                   term_ite(terms, minus, k(9, 1), k(9, 511))));
    end();
  }
}

static void far_shifts(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term a = var(11), by = var(11);
    solver_assert(solver, term_ule(terms, k(11, 11), by));
    always(term_eq(terms, term_shl(terms, a, by), k(11, 0)));
    always(term_eq(terms, term_lshr(terms, a, by), k(11, 0)));
    Term sign = term_extract(terms, a, 10, 1);
    always(term_eq(terms, term_ashr(terms, a, by), term_sext(terms, sign, 11)));
    end();
  }
}

static void least_by_minus_one(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term a = var(8), b = var(8);
    solver_assert(solver, term_eq(terms, a, k(8, 0x80)));
    solver_assert(solver, term_eq(terms, b, k(8, 0xff)));
    always(term_eq(terms, term_sdiv(terms, a, b), k(8, 0x80)));
    always(term_eq(terms, term_srem(terms, a, b), k(8, 0)));
    end();
  }
}

/* ---- facts, assumptions, models ---- */

static void facts_stay_assumptions_go(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term x = var(8), p = var(1), unused = var(200);
    Term small = term_ult(terms, x, k(8, 10)), large = term_ult(terms, k(8, 20), x);
    assert_int_equal(solver_check(solver, NULL, 0, NULL), SOLVE_SAT);
    solver_assert(solver, small);
    assert_int_equal(ask(p), SOLVE_SAT);
    assert_true(solver_number(solver, x) < 10);
    assert_int_equal(solver_number(solver, p), 1);
    uint64_t words[4] = {9, 9, 9, 9}, zeros[4] = {0};
    solver_value(solver, unused, words);
    assert_memory_equal(words, zeros, sizeof words);
    /* a fact waits for the next question; values of the last one can be read meanwhile */
    solver_assert(solver, term_or(terms, p, term_eq(terms, x, k(8, 3))));
    assert_true(solver_number(solver, term_add(terms, x, k(8, 100))) < 110);
    Term both[] = {p, large};
    assert_int_equal(solver_check(solver, both, 2, NULL), SOLVE_UNSAT);
    assert_true(solver_failed(solver, large));
    assert_false(solver_failed(solver, p));
    assert_int_equal(ask(term_not(terms, p)), SOLVE_SAT);
    assert_int_equal(solver_number(solver, x), 3);
    Term against[] = {p, term_not(terms, p)};
    assert_int_equal(solver_check(solver, against, 2, NULL), SOLVE_UNSAT);
    assert_true(solver_failed(solver, p) && solver_failed(solver, against[1]));
    Term no[] = {p, term_bool(terms, false)};
    assert_int_equal(solver_check(solver, no, 2, NULL), SOLVE_UNSAT);
    assert_true(solver_failed(solver, no[1]));
    assert_int_equal(solver_stats(solver).questions, 6);
    solver_assert(solver, large);
    assert_int_equal(ask(p), SOLVE_UNSAT);
    assert_false(solver_failed(solver, p));
    assert_int_equal(solver_check(solver, NULL, 0, NULL), SOLVE_UNSAT);
    end();
  }
}

static void a_false_fact(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    solver_assert(solver, term_bool(terms, true));
    assert_int_equal(solver_check(solver, NULL, 0, NULL), SOLVE_SAT);
    solver_assert(solver, term_bool(terms, false));
    assert_int_equal(solver_check(solver, NULL, 0, NULL), SOLVE_UNSAT);
    end();
  }
}

/* ---- limits ---- */

/* Products of three numbers in two orders, hidden behind a shift that no rule looks through: beyond
 * any solver of clauses. */
static Term hard(void) {
  Term x = var(40), y = var(40), z = var(40), by = var(40);
  Term one = term_shl(terms, term_mul(terms, term_mul(terms, x, y), z), by);
  Term two = term_mul(terms, x, term_mul(terms, y, term_shl(terms, z, by)));
  return term_not(terms, term_eq(terms, one, two));
}

static void still_usable(void) {
  Term x = var(8), y = var(8);
  Term sum = term_eq(terms, term_add(terms, x, y), k(8, 77));
  Term product = term_eq(terms, term_mul(terms, x, y), k(8, 10));
  Term both[] = {sum, term_and(terms, product, term_ult(terms, x, y))};
  SolveAnswer answer = solver_check(solver, both, 2, NULL);
  assert_int_not_equal(answer, SOLVE_UNKNOWN);
  assert_int_equal(ask(term_eq(terms, x, k(8, 5))), SOLVE_SAT);
  assert_int_equal(solver_number(solver, x), 5);
}

static void effort_ends(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term question = hard();
    SolveLimit limit = {.effort = kinds[i] == SOLVER_SAT ? 20 : 20000};
    assert_int_equal(solver_check(solver, &question, 1, &limit), SOLVE_UNKNOWN);
    if (kinds[i] == SOLVER_SAT) {
      SolverStats stats = solver_stats(solver);
      assert_true(stats.conflicts > 0 && stats.conflicts < 100);
    }
    still_usable();
    end();
  }
}

static void deadline_ends(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term question = hard();
    SolveLimit limit = {.deadline = clock_now() + 0.3};
    assert_int_equal(solver_check(solver, &question, 1, &limit), SOLVE_UNKNOWN);
    /* One that is over already asks nothing. */
    assert_int_equal(solver_check(solver, &question, 1, &limit), SOLVE_UNKNOWN);
    still_usable();
    end();
  }
}

static volatile int stop;

static void *set_stop(void *user) {
  (void)user;
  usleep(300000);
  stop = 1;
  return NULL;
}

static void stop_ends(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term question = hard();
    stop = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_stop, NULL), 0);
    SolveLimit limit = {.stop = &stop};
    assert_int_equal(solver_check(solver, &question, 1, &limit), SOLVE_UNKNOWN);
    pthread_join(thread, NULL);
    still_usable();
    end();
  }
}

/* An interruption that comes as a question ends must not spoil the next one. */
static void late_interruptions(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    begin(kinds[i]);
    Term x = var(24), y = var(24);
    solver_assert(solver, term_eq(terms, term_mul(terms, x, y), k(24, 7 * 11 * 13)));
    for (uint32_t round = 0; round < 40; round++) {
      SolveLimit limit = {.deadline = clock_now() + 0.0005 * round};
      Term question = term_eq(terms, x, k(24, round));
      solver_check(solver, &question, 1, &limit);
      question = term_eq(terms, x, k(24, 7));
      assert_int_equal(solver_check(solver, &question, 1, NULL), SOLVE_SAT);
    }
    end();
  }
}

/* With little stack, a walk that recursed would die. */
static void deep_terms(void **state) {
  (void)state;
  struct rlimit before, small;
  getrlimit(RLIMIT_STACK, &before);
  small = before;
  small.rlim_cur = 1 << 20;
  setrlimit(RLIMIT_STACK, &small);
  begin(SOLVER_SAT);
  Term x = var(2), y = var(2), t = x;
  for (uint32_t i = 0; i < 60000; i++)
    t = i % 2 ? term_add(terms, t, y) : term_xor(terms, t, x);
  assert_int_equal(ask(term_eq(terms, y, k(2, 1))), SOLVE_SAT);
  Term question[] = {term_eq(terms, x, k(2, 0)), term_eq(terms, y, k(2, 1)),
                     term_eq(terms, t, k(2, 30000 % 4))};
  assert_int_equal(solver_check(solver, question, 3, NULL), SOLVE_SAT);
  question[2] = term_not(terms, question[2]);
  assert_int_equal(solver_check(solver, question, 3, NULL), SOLVE_UNSAT);
  Str text = {0};
  solver_write_smtlib(solver, question, 3, &text);
  solver_write_dimacs(solver, question, 3, &text);
  str_free(&text);
  end();
  setrlimit(RLIMIT_STACK, &before);
}

/* ---- texts ---- */

static SolveAnswer read_dimacs(const char *text) {
  CCaDiCaL *reader = ccadical_init();
  ccadical_set_option(reader, "quiet", 1);
  unsigned variables, clauses, ends = 0;
  int used = 0;
  assert_int_equal(sscanf(text, "p cnf %u %u\n%n", &variables, &clauses, &used), 2);
  text += used;
  int literal;
  while (sscanf(text, "%d%n", &literal, &used) == 1) {
    assert_true((unsigned)abs(literal) <= variables);
    ends += literal == 0;
    ccadical_add(reader, literal);
    text += used;
  }
  assert_int_equal(ends, clauses);
  int result = ccadical_solve(reader);
  ccadical_release(reader);
  return result == 10 ? SOLVE_SAT : result == 20 ? SOLVE_UNSAT : SOLVE_UNKNOWN;
}

static SolveAnswer read_smtlib(const char *text) {
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  const char *answer = Z3_eval_smtlib2_string(z3, text);
  SolveAnswer result = strcmp(answer, "sat\n") == 0     ? SOLVE_SAT
                       : strcmp(answer, "unsat\n") == 0 ? SOLVE_UNSAT
                                                        : SOLVE_UNKNOWN;
  if (result == SOLVE_UNKNOWN) print_error("%s", answer);
  Z3_del_context(z3);
  Z3_del_config(config);
  return result;
}

/* All operations, and questions of both answers. */
static void texts_mean_the_same(void **state) {
  (void)state;
  begin(SOLVER_SAT);
  Term x = var(6), y = term_var(terms, 6, "name | with \n odd characters"), p = var(1);
  Term t = term_add(terms, term_mul(terms, x, y), term_shl(terms, x, y));
  t = term_xor(terms, t, term_lshr(terms, y, term_ashr(terms, x, y)));
  t = term_or(terms, t, term_and(terms, term_udiv(terms, x, y), term_sdiv(terms, y, x)));
  t = term_sub(terms, t, term_add(terms, term_urem(terms, x, y), term_srem(terms, y, x)));
  t = term_ite(terms, term_slt(terms, x, y), t, term_not(terms, x));
  t = term_ite(terms, term_ult(terms, x, y),
               term_extract(terms, term_sext(terms, t, 9), 3, 6), t);
  t = term_concat(terms, t, p);
  solver_assert(solver, term_or(terms, p, term_eq(terms, x, k(6, 5))));
  for (uint32_t value = 0; value < 128; value += 7) {
    Term question[] = {term_eq(terms, t, k(7, value)), term_ult(terms, x, k(6, 20))};
    SolveAnswer answer = solver_check(solver, question, 2, NULL);
    assert_int_not_equal(answer, SOLVE_UNKNOWN);
    Str text = {0};
    solver_write_smtlib(solver, question, 2, &text);
    assert_int_equal(read_smtlib(str_text(&text)), answer);
    str_clear(&text);
    assert_true(solver_write_dimacs(solver, question, 2, &text));
    assert_int_equal(read_dimacs(str_text(&text)), answer);
    str_free(&text);
  }
  solver_assert(solver, term_ult(terms, term_mul(terms, x, x), k(6, 0x11)));
  Term no[] = {term_eq(terms, x, k(6, 6)), term_not(terms, p)};
  Str text = {0};
  solver_write_smtlib(solver, no, 2, &text);
  assert_int_equal(read_smtlib(str_text(&text)), SOLVE_UNSAT);
  str_clear(&text);
  solver_write_dimacs(solver, no, 2, &text);
  assert_int_equal(read_dimacs(str_text(&text)), SOLVE_UNSAT);
  str_free(&text);
  end();
  begin(SOLVER_SMT);
  assert_false(solver_write_dimacs(solver, NULL, 0, &text));
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_zero),
      cmocka_unit_test(far_shifts),
      cmocka_unit_test(least_by_minus_one),
      cmocka_unit_test(facts_stay_assumptions_go),
      cmocka_unit_test(a_false_fact),
      cmocka_unit_test(effort_ends),
      cmocka_unit_test(deadline_ends),
      cmocka_unit_test(stop_ends),
      cmocka_unit_test(late_interruptions),
      cmocka_unit_test(deep_terms),
      cmocka_unit_test(texts_mean_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
