/* The second opinion: Z3, logic QF_BV, through its C interface.
 *
 * Terms of one bit are of sort Bool and become bit-vectors where an operation wants one. Every
 * assumption gets a name that implies it, for Z3 returns names in its cores. A watching thread
 * interrupts a question when `stop` or the deadline says so (watch.h). The context counts no references to its
 * terms, so they live as long as it does; solvers, models and vectors are counted anyway. */
#include "solve/back.h"

#include "base/vec.h"
#include "solve/smt_term.h"
#include "solve/watch.h"

#include <limits.h>
#include <string.h>

typedef struct {
  const Terms *terms;
  Z3_context z3;
  Z3_solver solver;
  SmtTerms *translated;
  Z3_model model;        /* of the last question, or NULL */
  VEC(Term) facts;       /* those from `given` on are not yet given */
  uint32_t given, named; /* facts, and names since the solver was new */
  VEC(Z3_ast) names;     /* term → the name that implies it, or NULL */
  VEC(Z3_ast) assumed;
  VEC(Term) failed; /* of the last contradiction */
  unsigned units;   /* the limit that is set; 0: none */
} Smt;

/* Z3 reports errors by this; the default ends the process. An operation that failed leaves an answer
 * that is unknown. */
static void ignore_error(Z3_context z3, Z3_error_code code) {
  (void)z3;
  (void)code;
}

static void *smt_open(Terms *terms) {
  Smt *smt = mem_alloc_zero(sizeof *smt);
  smt->terms = terms;
  Z3_config config = Z3_mk_config();
  smt->z3 = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(smt->z3, ignore_error);
  smt->solver = Z3_mk_solver_for_logic(smt->z3, Z3_mk_string_symbol(smt->z3, "QF_BV"));
  Z3_solver_inc_ref(smt->z3, smt->solver);
  smt->translated = smt_terms_new(terms, smt->z3);
  return smt;
}

static void drop_model(Smt *smt) {
  if (smt->model) Z3_model_dec_ref(smt->z3, smt->model);
  smt->model = NULL;
}

static void smt_close(void *back) {
  Smt *smt = back;
  drop_model(smt);
  smt_terms_free(smt->translated);
  Z3_solver_dec_ref(smt->z3, smt->solver);
  Z3_del_context(smt->z3);
  vec_free(&smt->facts);
  vec_free(&smt->names);
  vec_free(&smt->assumed);
  vec_free(&smt->failed);
  mem_free(smt);
}

static void smt_assert(void *back, Term fact) {
  Smt *smt = back;
  vec_push(&smt->facts, fact);
}

/* A Boolean constant that implies the assumption, made once. */
static Z3_ast name_of(Smt *smt, Term assumption) {
  if (smt->names.len <= assumption)
    (void)vec_extend(&smt->names, assumption + 1 - smt->names.len);
  Z3_ast name = smt->names.data[assumption];
  if (name) return name;
  name = Z3_mk_fresh_const(smt->z3, "assume", Z3_mk_bool_sort(smt->z3));
  smt->names.data[assumption] = name;
  Z3_ast meaning = smt_terms_get(smt->translated, assumption);
  Z3_solver_assert(smt->z3, smt->solver, Z3_mk_implies(smt->z3, name, meaning));
  smt->named++;
  return name;
}

/* Assumptions of old questions are looked at in every new one. As soon as there are more of them than facts, which
 * would have to be given again, that costs more than it saves. */
static void forget_names(Smt *smt) {
  Z3_solver_reset(smt->z3, smt->solver);
  memset(smt->names.data, 0, smt->names.len * sizeof *smt->names.data);
  smt->given = smt->named = 0;
}

/* Only when it changes: the solver sets itself up anew for new parameters. */
static void limit_effort(Smt *smt, uint64_t effort) {
  unsigned units = effort > UINT_MAX ? UINT_MAX : (unsigned)effort;
  if (units == smt->units) return;
  smt->units = units;
  Z3_params params = Z3_mk_params(smt->z3);
  Z3_params_inc_ref(smt->z3, params);
  Z3_params_set_uint(smt->z3, params, Z3_mk_string_symbol(smt->z3, "rlimit"), units);
  Z3_solver_set_params(smt->z3, smt->solver, params);
  Z3_params_dec_ref(smt->z3, params);
}

static void read_core(Smt *smt, const Term *assumptions, uint32_t count) {
  Z3_ast_vector core = Z3_solver_get_unsat_core(smt->z3, smt->solver);
  Z3_ast_vector_inc_ref(smt->z3, core);
  for (unsigned i = 0; i < Z3_ast_vector_size(smt->z3, core); i++) {
    Z3_ast name = Z3_ast_vector_get(smt->z3, core, i);
    for (uint32_t k = 0; k < count; k++)
      if (smt->assumed.data[k] == name) vec_push(&smt->failed, assumptions[k]);
  }
  Z3_ast_vector_dec_ref(smt->z3, core);
}

static void interrupt(void *user) {
  Z3_interrupt(user);
}

static SolveAnswer smt_check(void *back, const Term *assumptions, uint32_t count,
                             const SolveLimit *limit) {
  Smt *smt = back;
  drop_model(smt);
  vec_clear(&smt->failed);
  if (smt->named > 2 + smt->facts.len) forget_names(smt);
  for (; smt->given < smt->facts.len; smt->given++)
    Z3_solver_assert(smt->z3, smt->solver,
                     smt_terms_get(smt->translated, smt->facts.data[smt->given]));
  vec_clear(&smt->assumed);
  for (uint32_t i = 0; i < count; i++)
    vec_push(&smt->assumed, name_of(smt, assumptions[i]));
  limit_effort(smt, limit ? limit->effort : 0);
  if (watch_ended(limit)) return SOLVE_UNKNOWN;
  Watch *watch = watch_start(limit, interrupt, smt->z3);
  Z3_lbool result =
      Z3_solver_check_assumptions(smt->z3, smt->solver, count, smt->assumed.data);
  watch_end(watch);
  if (Z3_get_error_code(smt->z3) != Z3_OK) return SOLVE_UNKNOWN;
  if (result == Z3_L_FALSE) {
    read_core(smt, assumptions, count);
    return SOLVE_UNSAT;
  }
  if (result != Z3_L_TRUE) return SOLVE_UNKNOWN;
  smt->model = Z3_solver_get_model(smt->z3, smt->solver);
  if (!smt->model) return SOLVE_UNKNOWN;
  Z3_model_inc_ref(smt->z3, smt->model);
  return SOLVE_SAT;
}

static void smt_value(void *back, Term var, uint64_t *ret_words) {
  Smt *smt = back;
  smt_terms_value(smt->translated, var, smt->model, ret_words);
}

static bool smt_failed(void *back, Term assumption) {
  const Smt *smt = back;
  for (uint32_t i = 0; i < smt->failed.len; i++)
    if (smt->failed.data[i] == assumption) return true;
  return false;
}

/* Z3's own counts go by names that differ from version to version. */
static void smt_stats(void *back, SolverStats *ret) {
  const Smt *smt = back;
  ret->clauses = smt->facts.len;
  Z3_stats stats = Z3_solver_get_statistics(smt->z3, smt->solver);
  Z3_stats_inc_ref(smt->z3, stats);
  for (unsigned i = 0; i < Z3_stats_size(smt->z3, stats); i++) {
    if (!Z3_stats_is_uint(smt->z3, stats, i)) continue;
    const char *key = Z3_stats_get_key(smt->z3, stats, i);
    unsigned value = Z3_stats_get_uint_value(smt->z3, stats, i);
    if (strcmp(key, "sat conflicts") == 0) ret->conflicts = value;
    if (strcmp(key, "sat mk var") == 0) ret->variables = value;
  }
  Z3_stats_dec_ref(smt->z3, stats);
}

static const SolverBack back_smt = {
    .open = smt_open,
    .close = smt_close,
    .assert_fact = smt_assert,
    .check = smt_check,
    .var_value = smt_value,
    .failed = smt_failed,
    .stats = smt_stats,
};

const SolverBack *solver_back_smt(Err *err) {
  (void)err;
  return &back_smt;
}
