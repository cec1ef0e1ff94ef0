/* heddle-solve: families of formulas for bench/solve and tests/suite_solve.py, built once as terms and
 * asked of the solver that is named. Unlike the unit tests it loads the parts as the tool does.
 *
 *     heddle-solve list
 *     heddle-solve sat|smt FAMILY SIZE SECONDS
 *     heddle-solve smtlib|dimacs FAMILY SIZE
 *     heddle-solve build COUNT
 *
 * An answer is one line: answer, processor seconds to build the terms, to solve (all questions),
 * terms, variables, clauses, conflicts, questions. Families with one right answer say it in `list`. */
#include "base/mem.h"
#include "solve/solver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

typedef struct {
  Terms *terms;
  Solver *solver;
  uint64_t seed;
  SolveLimit limit;
  SolveAnswer answer; /* of families that ask by themselves */
  bool asked;
} Case;

static uint32_t random_below(Case *c, uint32_t n) {
  c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(c->seed >> 33) % n;
}

static Term k(Case *c, uint32_t bits, uint64_t value) {
  return term_const(c->terms, bits, value);
}

static void fact(Case *c, Term t) {
  solver_assert(c->solver, t);
}

static void deny(Case *c, Term t) {
  fact(c, term_not(c->terms, t));
}

/* ---- products ---- */

/* a (b + 1) = a b + a: the rules see it. */
static void distribute(Case *c, uint32_t bits) {
  Terms *t = c->terms;
  Term a = term_var(t, bits, "a"), b = term_var(t, bits, "b");
  Term left = term_mul(t, a, term_add(t, b, k(c, bits, 1)));
  deny(c, term_eq(t, left, term_add(t, term_mul(t, a, b), a)));
}

/* The same where the sum comes out of a choice, so that the rules do not see it. */
static void distribute_hidden(Case *c, uint32_t bits) {
  Terms *t = c->terms;
  Term a = term_var(t, bits, "a"), b = term_var(t, bits, "b"), p = term_var(t, 1, "p");
  Term d = term_ite(t, p, k(c, bits, 1), term_var(t, bits, "d"));
  fact(c, p);
  Term left = term_mul(t, a, term_add(t, b, d));
  deny(c, term_eq(t, left, term_add(t, term_mul(t, a, b), a)));
}

/* The two factors of a product of two primes. */
static void factor(Case *c, uint32_t bits) {
  static const uint32_t primes[][2] = {
      {241, 251}, {4091, 4093}, {32749, 32719}, {65521, 65519}};
  uint32_t row = bits <= 16 ? 0 : bits <= 24 ? 1 : bits <= 30 ? 2 : 3;
  Terms *t = c->terms;
  Term x = term_var(t, bits, "x"), y = term_var(t, bits, "y");
  Term product = term_mul(t, term_zext(t, x, 2 * bits), term_zext(t, y, 2 * bits));
  fact(c, term_eq(t, product, k(c, 2 * bits, (uint64_t)primes[row][0] * primes[row][1])));
  fact(c, term_ult(t, k(c, bits, 1), x));
  fact(c, term_ult(t, x, y));
}

/* (a / b) b + a % b = a */
static void divide(Case *c, uint32_t bits) {
  Terms *t = c->terms;
  Term a = term_var(t, bits, "a"), b = term_var(t, bits, "b");
  Term back = term_add(t, term_mul(t, term_udiv(t, a, b), b), term_urem(t, a, b));
  deny(c, term_eq(t, back, a));
}

/* ---- memory ---- */

/* Writes at symbolic indices into 16 cells; may one cell hold the sum of two others? */
static void writes(Case *c, uint32_t count) {
  enum { CELLS = 16 };
  Terms *t = c->terms;
  Term cell[CELLS];
  for (uint32_t i = 0; i < CELLS; i++) cell[i] = k(c, 32, i);
  for (uint32_t w = 0; w < count; w++) {
    Term index = term_var(t, 32, "index"), value = term_var(t, 32, "value");
    fact(c, term_ult(t, index, k(c, 32, CELLS)));
    for (uint32_t i = 0; i < CELLS; i++)
      cell[i] = term_ite(t, term_eq(t, index, k(c, 32, i)), value, cell[i]);
    Term from = term_var(t, 32, "from"), read = cell[0];
    for (uint32_t i = 1; i < CELLS; i++)
      read = term_ite(t, term_eq(t, from, k(c, 32, i)), cell[i], read);
    fact(c, term_ult(t, read, term_add(t, value, k(c, 32, w + 1))));
  }
  fact(c, term_eq(t, cell[15], term_add(t, cell[3], cell[7])));
  fact(c, term_ult(t, k(c, 32, 1000), cell[15]));
}

/* Bubble sort of `count` numbers is sorted. */
static void sorting(Case *c, uint32_t count) {
  Terms *t = c->terms;
  Term *a = mem_alloc(count * sizeof *a), sorted = term_bool(t, true);
  for (uint32_t i = 0; i < count; i++) a[i] = term_var(t, 32, "a");
  for (uint32_t end = count; end > 1; end--)
    for (uint32_t i = 0; i + 1 < end; i++) {
      Term swap = term_slt(t, a[i + 1], a[i]), low = term_ite(t, swap, a[i + 1], a[i]);
      a[i + 1] = term_ite(t, swap, a[i], a[i + 1]);
      a[i] = low;
    }
  for (uint32_t i = 0; i + 1 < count; i++)
    sorted = term_and(t, sorted, term_sle(t, a[i], a[i + 1]));
  deny(c, sorted);
  mem_free(a);
}

/* ---- threads ---- */

enum { MOST_THREADS = 40, CLOCK_BITS = 8 };

/* Test-and-set locks as a partial order: each thread takes the lock once (an exchange that must read 0),
 * then is about to access the data. Clocks order the exchanges, every exchange reads the
 * last one before it. Can two be at the access? `safe`: nobody releases; otherwise a thread
 * releases before its access. */
static void test_and_set(Case *c, uint32_t threads, bool safe) {
  Terms *t = c->terms;
  Term clock[2 * MOST_THREADS], value[2 * MOST_THREADS], reads[MOST_THREADS];
  Term done[MOST_THREADS];
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  uint32_t events = safe ? threads : 2 * threads;
  for (uint32_t i = 0; i < events; i++) {
    clock[i] = term_var(t, CLOCK_BITS, "clock");
    value[i] = term_bool(t, i < threads);
    for (uint32_t k2 = 0; k2 < i; k2++) deny(c, term_eq(t, clock[i], clock[k2]));
  }
  for (uint32_t i = 0; i < threads; i++) {
    reads[i] = term_var(t, 1, "read");
    done[i] = term_var(t, 1, "done");
  }
  for (uint32_t i = 0; i < threads; i++) {
    if (!safe) fact(c, term_ult(t, clock[i], clock[threads + i]));
    /* which event is read from: none (the initial 0), or one of the others */
    Term some = term_bool(t, true), chosen = term_bool(t, false);
    for (uint32_t w = 0; w < events; w++) {
      if (w == i) continue;
      Term from = term_var(t, 1, "from"), before = term_ult(t, clock[w], clock[i]);
      Term last = term_and(t, before, w >= threads ? done[w - threads] : done[w]);
      for (uint32_t o = 0; o < events; o++) {
        if (o == w || o == i) continue;
        Term owner = o >= threads ? done[o - threads] : done[o];
        Term between = term_and(t, term_ult(t, clock[w], clock[o]),
                                term_and(t, term_ult(t, clock[o], clock[i]), owner));
        last = term_and(t, last, term_not(t, between));
      }
      fact(c, term_implies(t, from, last));
      fact(c, term_implies(t, from, term_eq(t, reads[i], value[w])));
      Term is_before = term_and(t, before, w >= threads ? done[w - threads] : done[w]);
      some = term_and(t, some, term_not(t, is_before));
      chosen = term_or(t, chosen, from);
    }
    fact(c, term_or(t, chosen, some));
    fact(c, term_implies(t, some, term_not(t, reads[i])));
    fact(c, term_implies(t, done[i], term_not(t, reads[i])));
  }
  Term pair = term_bool(t, false);
  for (uint32_t i = 0; i < threads; i++)
    for (uint32_t o = 0; o < i; o++)
      pair = term_or(t, pair, term_and(t, done[i], done[o]));
  fact(c, pair);
}

static void lock_kept(Case *c, uint32_t threads) {
  test_and_set(c, threads, true);
}

static void lock_released(Case *c, uint32_t threads) {
  test_and_set(c, threads, false);
}

/* ---- many small questions ---- */

/* As predicate abstraction asks them: which predicates may hold after an assignment? */
static void predicates(Case *c, uint32_t questions) {
  enum { PREDICATES = 10 };
  Terms *t = c->terms;
  Term x = term_var(t, 32, "x"), y = term_var(t, 32, "y"), z = term_var(t, 32, "z");
  Term then = term_add(t, x, k(c, 32, 1)), p[PREDICATES];
  Term after = term_ite(t, term_slt(t, y, z), then, term_sub(t, z, y));
  for (uint32_t i = 0; i < PREDICATES; i++) {
    Term of = i % 3 == 0 ? x : i % 3 == 1 ? y : after;
    p[i] = i % 2 ? term_slt(t, of, k(c, 32, 3 * i))
                 : term_eq(t, of, term_add(t, z, k(c, 32, i)));
  }
  c->asked = true;
  c->answer = SOLVE_SAT;
  for (uint32_t q = 0; q < questions; q++) {
    Term assumed[4];
    for (uint32_t i = 0; i < 4; i++) {
      assumed[i] = p[random_below(c, PREDICATES)];
      if (random_below(c, 2)) assumed[i] = term_not(t, assumed[i]);
    }
    if (!solver_check(c->solver, assumed, 4, &c->limit)) c->answer = SOLVE_UNKNOWN;
  }
}

typedef struct {
  const char *name;
  void (*build)(Case *c, uint32_t size);
  const char *answer;
  const char *sizes; /* for the bench; the first is small */
} Family;

static const Family families[] = {
    {"distribute", distribute, "unsat", "8 16 64"},
    {"distribute-hidden", distribute_hidden, "unsat", "5 7 9"},
    {"factor", factor, "sat", "16 24 30"},
    {"divide", divide, "unsat", "5 8 10"},
    {"writes", writes, "sat", "8 30 60"},
    {"sorting", sorting, "unsat", "4 5 6"},
    {"lock-kept", lock_kept, "unsat", "3 7 11"},
    {"lock-released", lock_released, "sat", "4 12 20"},
    {"predicates", predicates, "sat", "200 5000"},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const char *const words[] = {
    [SOLVE_UNKNOWN] = "unknown", [SOLVE_SAT] = "sat", [SOLVE_UNSAT] = "unsat"};

static int fail(const char *text) {
  fprintf(stderr, "heddle-solve: %s\n", text);
  return 3;
}

/* Of the processor, for a machine may have other work. */
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How long a term takes: sums, choices and comparisons over a few variables, most of them new. */
static int build(uint32_t count) {
  Terms *terms = terms_new();
  Term pool[256];
  for (uint32_t i = 0; i < 256; i++) pool[i] = term_var(terms, 32, NULL);
  uint64_t seed = 1;
  double start = cpu_now();
  for (uint32_t i = 0; i < count; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    Term a = pool[seed >> 56], b = pool[seed >> 48 & 255], *to = &pool[seed >> 40 & 255];
    switch (seed >> 36 & 3) {
    case 0: *to = term_add(terms, a, b); break;
    case 1: *to = term_and(terms, a, b); break;
    case 2: *to = term_xor(terms, a, b); break;
    case 3: *to = term_ite(terms, term_ult(terms, a, b), a, b); break;
    }
  }
  double seconds = cpu_now() - start;
  printf("%u calls, %u terms, %.1f ns each call\n", count, terms_count(terms),
         1e9 * seconds / count);
  terms_free(terms);
  return 0;
}

/* The limit of a question is processor time, too. */
static volatile int stop;

static void set_stop(int number) {
  (void)number;
  stop = 1;
}

static void limit_time(Case *c, double seconds) {
  if (seconds <= 0) return;
  signal(SIGPROF, set_stop);
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec));
  setitimer(ITIMER_PROF, &timer, NULL);
  c->limit.stop = &stop;
}

static int solve(const Family *family, const char *what, uint32_t size, double seconds) {
  Err err = {0};
  Case c = {.terms = terms_new(), .seed = 1};
  bool text = strcmp(what, "smtlib") == 0 || strcmp(what, "dimacs") == 0;
  c.solver =
      solver_new(c.terms, strcmp(what, "smt") == 0 ? SOLVER_SMT : SOLVER_SAT, &err);
  if (!c.solver) {
    Str line = {0};
    err_format(&err, &line);
    fail(str_text(&line));
    return err_exit_code(&err);
  }
  double start = cpu_now();
  limit_time(&c, seconds);
  family->build(&c, size);
  double built = cpu_now();
  if (text) {
    Str out = {0};
    if (strcmp(what, "smtlib") == 0)
      solver_write_smtlib(c.solver, NULL, 0, &out);
    else
      solver_write_dimacs(c.solver, NULL, 0, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
  } else {
    SolveAnswer answer = c.asked ? c.answer : solver_check(c.solver, NULL, 0, &c.limit);
    SolverStats stats = solver_stats(c.solver);
    double end = cpu_now();
    if (c.asked) built = start;
    printf("%s %.4f %.4f %u %llu %llu %llu %llu\n", words[answer], built - start,
           end - built, terms_count(c.terms), (unsigned long long)stats.variables,
           (unsigned long long)stats.clauses, (unsigned long long)stats.conflicts,
           (unsigned long long)stats.questions);
  }
  solver_free(c.solver);
  terms_free(c.terms);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    for (uint32_t i = 0; i < FAMILIES; i++)
      printf("%s %s %s\n", families[i].name, families[i].answer, families[i].sizes);
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "build") == 0) return build((uint32_t)atoi(argv[2]));
  if (argc < 4) return fail("see the top of tests/solve/drive.c");
  for (uint32_t i = 0; i < FAMILIES; i++)
    if (strcmp(argv[2], families[i].name) == 0)
      return solve(&families[i], argv[1], (uint32_t)atoi(argv[3]),
                   argc > 4 ? atof(argv[4]) : 0);
  return fail("no such family");
}
