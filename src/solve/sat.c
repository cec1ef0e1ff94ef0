/* The working solver: terms as gates, gates as clauses, CaDiCaL.
 *
 * Facts wait until the next question, so that values of the last one can be read meanwhile. A fact
 * that is a conjunction is split, one that is a disjunction becomes one clause. Only what a question
 * needs gets variables and clauses; they stay for later questions. */
#include "solve/back.h"

#include "base/clock.h"
#include "base/vec.h"
#include "solve/blast.h"
#include "solve/term_internal.h"

#include <assert.h>
#include <ccadical.h>
#include <limits.h>

typedef struct {
  Terms *terms;
  Gates *gates;
  Blast *blast;
  CCaDiCaL *solver;
  VEC(Term) facts; /* not yet given to the solver */
  VEC(Term) parts; /* of the fact that is being given */
  VEC(int) clause;
  VEC(int) top; /* all clauses that are no definitions, each ended by 0 */
  uint64_t top_clauses, conflicts;
  bool contradiction; /* the facts have one without any search */
  Term refuted;       /* the assumption that is false by itself, or 0 */
  const SolveLimit *limit;
} Sat;

static int ended(void *user) {
  const SolveLimit *limit = ((Sat *)user)->limit;
  if (!limit) return 0;
  if (limit->stop && *limit->stop) return 1;
  return limit->deadline > 0 && clock_now() >= limit->deadline;
}

static bool poll_ended(void *user) {
  return ended(user);
}

static void add_literal(void *user, int literal) {
  ccadical_add(user, literal);
}

static void count_conflict(void *user, int *clause) {
  (void)clause;
  ((Sat *)user)->conflicts++;
}

static void *sat_open(Terms *terms) {
  Sat *sat = mem_alloc_zero(sizeof *sat);
  sat->terms = terms;
  sat->gates = gates_new();
  sat->blast = blast_new(terms, sat->gates);
  sat->solver = ccadical_init();
  ccadical_set_option(sat->solver, "quiet", 1);
  ccadical_set_terminate(sat->solver, sat, ended);
  ccadical_set_learn(sat->solver, sat, INT_MAX, count_conflict);
  return sat;
}

static void sat_close(void *back) {
  Sat *sat = back;
  ccadical_release(sat->solver);
  blast_free(sat->blast);
  gates_free(sat->gates);
  vec_free(&sat->facts);
  vec_free(&sat->parts);
  vec_free(&sat->clause);
  vec_free(&sat->top);
  mem_free(sat);
}

static void sat_assert(void *back, Term fact) {
  Sat *sat = back;
  vec_push(&sat->facts, fact);
}

/* The literal of a truth value in gates. False: time is up. */
static bool gate_of(Sat *sat, Term t, Lit *ret) {
  assert(bits_of(sat->terms, t) == 1);
  if (!blast_term(sat->blast, t, poll_ended, sat)) return false;
  *ret = blast_lits(sat->blast, t)[0];
  return true;
}

static int number_of(Sat *sat, Lit lit) {
  return gates_literal(sat->gates, lit, add_literal, sat->solver, poll_ended, sat);
}

/* ---- facts ---- */

/* A term without its complements. */
typedef struct {
  Term term;
  bool negated;
} Part;

static Part strip(const Terms *terms, Term t) {
  Part part = {t, false};
  while (kind_of(terms, part.term) == TERM_NOT) {
    part.term = node(terms, part.term)->a;
    part.negated = !part.negated;
  }
  return part;
}

typedef enum { CLAUSE_OPEN, CLAUSE_TRUE, CLAUSE_LATE } ClauseState;

static ClauseState add_to_clause(Sat *sat, Term t, bool negated) {
  Lit lit;
  if (!gate_of(sat, t, &lit)) return CLAUSE_LATE;
  lit ^= negated;
  if (lit == LIT_TRUE) return CLAUSE_TRUE;
  if (lit == LIT_FALSE) return CLAUSE_OPEN;
  int number = number_of(sat, lit);
  if (!number) return CLAUSE_LATE;
  vec_push(&sat->clause, number);
  return CLAUSE_OPEN;
}

enum { WIDEST_CLAUSE = 4096 };

/* One clause for a fact that is no conjunction. */
static ClauseState collect_clause(Sat *sat, Term fact) {
  vec_clear(&sat->clause);
  vec_clear(&sat->parts);
  vec_push(&sat->parts, fact);
  vec_push(&sat->parts, 0); /* not negated: pairs of term and sign */
  uint32_t seen = 0;
  while (sat->parts.len) {
    bool negated = vec_pop(&sat->parts);
    Part part = strip(sat->terms, vec_pop(&sat->parts));
    negated ^= part.negated;
    const TermNode *n = node(sat->terms, part.term);
    bool splits = n->bits == 1 && n->kind == (negated ? TERM_AND : TERM_OR);
    if (splits && ++seen < WIDEST_CLAUSE) {
      vec_push(&sat->parts, n->b);
      vec_push(&sat->parts, negated);
      vec_push(&sat->parts, n->a);
      vec_push(&sat->parts, negated);
      continue;
    }
    ClauseState state = add_to_clause(sat, part.term, negated);
    if (state != CLAUSE_OPEN) return state;
  }
  return CLAUSE_OPEN;
}

static void give_clause(Sat *sat) {
  if (!sat->clause.len) sat->contradiction = true;
  for (uint32_t i = 0; i < sat->clause.len; i++) {
    ccadical_add(sat->solver, sat->clause.data[i]);
    vec_push(&sat->top, sat->clause.data[i]);
  }
  ccadical_add(sat->solver, 0);
  vec_push(&sat->top, 0);
  sat->top_clauses++;
}

/* Gives all waiting facts; those that are conjunctions are replaced by their operands. False: time
 * is up, and what is not given waits on. */
static bool give_facts(Sat *sat) {
  while (sat->facts.len) {
    Term fact = *vec_last(&sat->facts);
    Part part = strip(sat->terms, fact);
    const TermNode *n = node(sat->terms, part.term);
    if (n->kind == (part.negated ? TERM_OR : TERM_AND)) {
      TermNode both = *n;
      vec_pop(&sat->facts);
      vec_push(&sat->facts, part.negated ? term_not(sat->terms, both.b) : both.b);
      vec_push(&sat->facts, part.negated ? term_not(sat->terms, both.a) : both.a);
      continue;
    }
    ClauseState state = collect_clause(sat, fact);
    if (state == CLAUSE_LATE) return false;
    vec_pop(&sat->facts);
    if (state == CLAUSE_OPEN) give_clause(sat);
  }
  return true;
}

/* ---- questions ---- */

static SolveAnswer sat_check(void *back, const Term *assumptions, uint32_t count,
                             const SolveLimit *limit) {
  Sat *sat = back;
  sat->limit = limit;
  sat->refuted = 0;
  SolveAnswer answer = SOLVE_UNKNOWN;
  if (!give_facts(sat)) goto out;
  if (sat->contradiction) {
    answer = SOLVE_UNSAT;
    goto out;
  }
  vec_clear(&sat->clause);
  for (uint32_t i = 0; i < count; i++) {
    Lit lit;
    if (!gate_of(sat, assumptions[i], &lit)) goto out;
    if (lit == LIT_TRUE) continue;
    if (lit == LIT_FALSE) {
      sat->refuted = assumptions[i];
      answer = SOLVE_UNSAT;
      goto out;
    }
    int number = number_of(sat, lit);
    if (!number) goto out;
    vec_push(&sat->clause, number);
  }
  if (ended(sat)) goto out;
  for (uint32_t i = 0; i < sat->clause.len; i++)
    ccadical_assume(sat->solver, sat->clause.data[i]);
  uint64_t effort = limit ? limit->effort : 0;
  int conflicts = effort == 0 ? -1 : effort > INT_MAX ? INT_MAX : (int)effort;
  ccadical_limit(sat->solver, "conflicts", conflicts);
  int result = ccadical_solve(sat->solver);
  answer = result == 10 ? SOLVE_SAT : result == 20 ? SOLVE_UNSAT : SOLVE_UNKNOWN;
out:
  sat->limit = NULL;
  return answer;
}

static void sat_value(void *back, Term var, uint64_t *ret_words) {
  Sat *sat = back;
  uint32_t bits = bits_of(sat->terms, var);
  memset(ret_words, 0, wide_len(bits) * sizeof *ret_words);
  const Lit *lits = blast_lits(sat->blast, var);
  if (!lits) return;
  for (uint32_t i = 0; i < bits; i++) {
    int number = gates_known_literal(sat->gates, lits[i]);
    if (number && ccadical_val(sat->solver, number) > 0)
      ret_words[i / 64] |= (uint64_t)1 << (i & 63);
  }
}

static bool sat_failed(void *back, Term assumption) {
  Sat *sat = back;
  if (sat->contradiction) return false;
  if (sat->refuted) return assumption == sat->refuted;
  const Lit *lits = blast_lits(sat->blast, assumption);
  int number = lits && *lits > LIT_TRUE ? gates_known_literal(sat->gates, *lits) : 0;
  return number && ccadical_failed(sat->solver, number);
}

static void sat_stats(void *back, SolverStats *ret) {
  const Sat *sat = back;
  ret->variables = gates_variables(sat->gates);
  ret->clauses = gates_clauses(sat->gates) + sat->top_clauses;
  ret->conflicts = sat->conflicts;
}

/* ---- DIMACS ---- */

static void write_literal(void *user, int literal) {
  str_addf(user, literal ? "%d " : "%d\n", literal);
}

static void sat_write_dimacs(void *back, const Term *assumptions, uint32_t count,
                             Str *out) {
  Sat *sat = back;
  bool given = give_facts(sat);
  assert(given && "without a limit nothing is late");
  (void)given;
  Str units = {0};
  uint32_t unit_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    Lit lit = 0;
    gate_of(sat, assumptions[i], &lit);
    if (lit == LIT_TRUE) continue;
    if (lit == LIT_FALSE)
      str_add(&units, "0\n");
    else
      str_addf(&units, "%d 0\n", number_of(sat, lit));
    unit_count++;
  }
  uint64_t clauses = gates_clauses(sat->gates) + sat->top_clauses + unit_count;
  str_addf(out, "p cnf %u %llu\n", gates_variables(sat->gates),
           (unsigned long long)clauses);
  gates_repeat(sat->gates, write_literal, out);
  for (uint32_t i = 0; i < sat->top.len; i++) write_literal(out, sat->top.data[i]);
  str_add(out, str_text(&units));
  str_free(&units);
}

static const SolverBack back_sat = {
    .open = sat_open,
    .close = sat_close,
    .assert_fact = sat_assert,
    .check = sat_check,
    .var_value = sat_value,
    .failed = sat_failed,
    .stats = sat_stats,
    .write_dimacs = sat_write_dimacs,
};

const SolverBack *solver_back_sat(Err *err) {
  (void)err;
  return &back_sat;
}
