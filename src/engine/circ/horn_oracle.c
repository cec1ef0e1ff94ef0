/* Candidates from Spacer. See horn.h.
 *
 * It is asked about as little as possible: clauses of tuples that are not reached say nothing, and which truth values
 * and constants variables have is known already. */
#include "engine/circ/horn.h"

typedef struct {
  Horn *h;
  Terms *t;
  Chc chc;
} Asking;

/* What is cheap to say: a truth value, or that a variable is a constant. */
static bool is_plain(const Terms *t, Term c) {
  Term a = term_kind(t, c) == TERM_NOT ? term_operand(t, c, 0) : c;
  if (term_kind(t, a) == TERM_VAR) return true;
  return term_kind(t, c) == TERM_EQ && term_const_words(t, term_operand(t, c, 1));
}

/* The clause's constraint, and what the filter left of the predicate. */
static Term with_known(Asking *x, Term constraint, const ChcAtom *atom) {
  const HornPredicate *p = &x->h->predicates.data[atom->predicate];
  const ChcAtom *parameters = &x->chc.predicates.data[atom->predicate];
  Map with = {0};
  for (uint32_t i = 0; i < atom->count; i++)
    map_put(&with, x->chc.arguments.data[parameters->first + i],
            x->chc.arguments.data[atom->first + i]);
  for (uint32_t i = 0; i < p->candidates.len; i++)
    if (!p->candidates.data[i].dropped && is_plain(x->t, p->candidates.data[i].term))
      constraint = term_and(x->t, constraint,
                            term_substitute(x->t, p->candidates.data[i].term, &with));
  map_free(&with);
  return constraint;
}

static bool is_reached(const Asking *x, uint32_t predicate) {
  return predicate == CHC_NONE || x->h->predicates.data[predicate].reached;
}

static void copy_clauses(Asking *x, Solver *solver, const SolveLimit *limit) {
  const Chc *all = &x->h->chc;
  for (uint32_t i = 0; i < all->clauses.len; i++) {
    ChcClause c = all->clauses.data[i];
    bool says = is_reached(x, c.head.predicate);
    for (uint32_t k = 0; k < c.atom_count; k++)
      says = says && is_reached(x, all->atoms.data[c.first_atom + k].predicate);
    for (uint32_t k = 0; k < c.atom_count && says; k++)
      c.constraint = with_known(x, c.constraint, &all->atoms.data[c.first_atom + k]);
    if (says && solver_check(solver, &c.constraint, 1, limit) != SOLVE_UNSAT)
      vec_push(&x->chc.clauses, c);
  }
}

ChcAnswer horn_ask_oracle(Horn *h, ChcSort sort, const SolveLimit *limit,
                          uint32_t *ret_added) {
  Err err = {0};
  Asking x = {.h = h, .t = h->model->terms, .chc = h->chc};
  Solver *solver = solver_new(x.t, SOLVER_SAT, &err);
  ChcParts *parts = mem_alloc_zero((h->predicates.len + 1) * sizeof *parts);
  ChcAnswer answer = CHC_UNKNOWN;
  x.chc.clauses.data = NULL;
  x.chc.clauses.len = x.chc.clauses.cap = 0;
  *ret_added = 0;
  if (solver) {
    copy_clauses(&x, solver, limit);
    answer = chc_solve(&x.chc, sort, limit, parts);
  }
  for (uint32_t i = 0; i < h->predicates.len; i++) {
    for (uint32_t k = 0; k < parts[i].list.len; k++)
      *ret_added += horn_add_candidate(h, i, parts[i].list.data[k]);
    vec_free(&parts[i].list);
  }
  vec_free(&x.chc.clauses);
  mem_free(parts);
  solver_free(solver);
  err_free(&err);
  return answer;
}
