/* The largest inductive part of the candidates, over bit-vectors. See horn.h.
 *
 * No predicate is reached in the beginning: it says "false". A clause whose body is reached and that
 * has a solution, which its head does not allow, weakens the head: it is reached, and loses every candidate
 * that the solution contradicts. What is left when no clause has such a solution is the strongest conjunction
 * of candidates that is inductive; if it excludes the error, a proof was found.
 *
 * Then, from the error backwards, what each step of the proof needs is marked: the rest was true but of no use. */
#include "engine/circ/horn.h"

#include "base/clock.h"

#define NOWHERE UINT32_MAX /* instead of a candidate: the predicate is not reached */

/* A conjunct of the body, for one clause. */
typedef struct {
  Term term;
  uint32_t predicate, candidate;
} Given;

typedef struct {
  Horn *h;
  Terms *t;
  Solver *solver;
  const SolveLimit *limit;
  VEC(uint32_t) queue; /* clauses to look at, from `next` on */
  uint32_t next;
  uint8_t *queued; /* by clause */
  VEC(Given) given;
  VEC(Term) assumed;
  Map known;            /* term → index in `given` + 1 */
  VEC(uint64_t) needed; /* predicate << 32 | candidate: to be justified */
  bool over;
} Filter;

/* A model has a value for everything that was ever asked about, and most of that is of no concern any more. */
bool horn_renew_solver(Terms *terms, Solver **solver) {
  enum { MOST_GATES = 3000 };
  if (*solver && solver_stats(*solver).variables <= MOST_GATES) return true;
  Err err = {0};
  solver_free(*solver);
  *solver = solver_new(terms, SOLVER_SAT, &err);
  err_free(&err);
  return *solver;
}

/* ---- instances ---- */

void horn_arguments(const Horn *h, const ChcAtom *atom, Map *ret_with) {
  const ChcAtom *p = &h->chc.predicates.data[atom->predicate];
  for (uint32_t i = 0; i < atom->count; i++) {
    Term parameter = h->chc.arguments.data[p->first + i];
    Term argument = h->chc.arguments.data[atom->first + i];
    if (parameter != argument) map_put(ret_with, parameter, argument);
  }
}

/* A predicate of the body that is not reached, so that the clause says nothing; or NULL. */
static HornPredicate *unreached(const Horn *h, const ChcClause *c) {
  HornPredicate *found = NULL;
  for (uint32_t i = 0; i < c->atom_count; i++) {
    uint32_t number = h->chc.atoms.data[c->first_atom + i].predicate;
    HornPredicate *p = &h->predicates.data[number];
    if (!p->reached && (!found || p->needed_nowhere)) found = p;
  }
  return found;
}

/* False: the clause says nothing. */
static bool give_body(Filter *f, const ChcClause *c) {
  Horn *h = f->h;
  vec_clear(&f->given);
  map_clear(&f->known);
  if (unreached(h, c)) return false;
  for (uint32_t i = 0; i < c->atom_count; i++) {
    const ChcAtom *atom = &h->chc.atoms.data[c->first_atom + i];
    const HornPredicate *p = &h->predicates.data[atom->predicate];
    Map with = {0};
    horn_arguments(h, atom, &with);
    for (uint32_t k = 0; k < p->candidates.len; k++) {
      if (p->candidates.data[k].dropped) continue;
      Term term = term_substitute(f->t, p->candidates.data[k].term, &with);
      if (term_is_true(f->t, term) || map_find(&f->known, term, 0)) continue;
      vec_push(&f->given, ((Given){term, atom->predicate, k}));
      map_put(&f->known, term, f->given.len);
    }
    map_free(&with);
  }
  return true;
}

static SolveAnswer ask(Filter *f, Term constraint, Term bad) {
  if (term_is_false(f->t, constraint) || term_is_false(f->t, bad)) return SOLVE_UNSAT;
  vec_push(&f->assumed, constraint);
  vec_push(&f->assumed, bad);
  SolveAnswer answer = solver_check(f->solver, f->assumed.data, f->assumed.len, f->limit);
  if (answer == SOLVE_UNKNOWN) f->over = true;
  return answer;
}

static void assume_all(Filter *f) {
  vec_clear(&f->assumed);
  for (uint32_t i = 0; i < f->given.len; i++)
    vec_push(&f->assumed, f->given.data[i].term);
}

/* ---- weakening ---- */

static void enqueue_uses(Filter *f, uint32_t predicate) {
  const HornPredicate *p = &f->h->predicates.data[predicate];
  for (uint32_t i = 0; i < p->uses.len; i++) {
    if (f->queued[p->uses.data[i]]) continue;
    f->queued[p->uses.data[i]] = 1;
    vec_push(&f->queue, p->uses.data[i]);
  }
}

/* Some candidate of the head, as the clause has it, does not hold. */
static Term head_fails(Filter *f, const HornPredicate *p, const Term *instances) {
  Term bad = term_bool(f->t, !p->reached);
  for (uint32_t i = 0; i < p->candidates.len; i++)
    if (!p->candidates.data[i].dropped && !map_find(&f->known, instances[i], 0))
      bad = term_or(f->t, bad, term_not(f->t, instances[i]));
  return bad;
}

static void weaken(Filter *f, HornPredicate *p, const Term *instances) {
  p->reached = true;
  for (uint32_t i = 0; i < p->candidates.len; i++)
    if (!p->candidates.data[i].dropped && !(solver_number(f->solver, instances[i]) & 1))
      p->candidates.data[i].dropped = true;
}

static void look(Filter *f, uint32_t number) {
  Horn *h = f->h;
  const ChcClause *c = &h->chc.clauses.data[number];
  if (c->head.predicate == CHC_NONE || !give_body(f, c)) return;
  if (!horn_renew_solver(f->t, &f->solver)) f->over = true;
  if (f->over) return;
  HornPredicate *p = &h->predicates.data[c->head.predicate];
  Term *instances = mem_alloc_zero((p->candidates.len + 1) * sizeof *instances);
  Map with = {0};
  bool weaker = false;
  horn_arguments(h, &c->head, &with);
  for (uint32_t i = 0; i < p->candidates.len; i++)
    instances[i] = term_substitute(f->t, p->candidates.data[i].term, &with);
  for (;;) {
    assume_all(f);
    if (ask(f, c->constraint, head_fails(f, p, instances)) != SOLVE_SAT) break;
    weaken(f, p, instances);
    weaker = true;
  }
  if (weaker) enqueue_uses(f, c->head.predicate);
  map_free(&with);
  mem_free(instances);
}

static void weaken_all(Filter *f) {
  Horn *h = f->h;
  for (uint32_t i = 0; i < h->predicates.len; i++)
    h->predicates.data[i].reached = h->predicates.data[i].needed_nowhere = false;
  for (uint32_t i = 0; i < h->chc.clauses.len; i++)
    if (!h->chc.clauses.data[i].atom_count) vec_push(&f->queue, i);
  while (f->next < f->queue.len && !f->over) {
    uint32_t clause = f->queue.data[f->next++];
    f->queued[clause] = 0;
    look(f, clause);
  }
}

/* ---- what is needed ---- */

static void need(Filter *f, const Given *g) {
  HornCandidate *c = &f->h->predicates.data[g->predicate].candidates.data[g->candidate];
  if (c->needed) return;
  c->needed = true;
  vec_push(&f->needed, (uint64_t)g->predicate << 32 | g->candidate);
}

static void need_nowhere(Filter *f, HornPredicate *p) {
  if (p->needed_nowhere) return;
  p->needed_nowhere = true;
  vec_push(&f->needed, (uint64_t)(p - f->h->predicates.data) << 32 | NOWHERE);
}

static bool is_needed(const Filter *f, const Given *g) {
  return f->h->predicates.data[g->predicate].candidates.data[g->candidate].needed;
}

/* Asks with those that are marked. */
static SolveAnswer ask_with(Filter *f, const ChcClause *c, Term bad,
                            const uint8_t *with) {
  vec_clear(&f->assumed);
  for (uint32_t i = 0; i < f->given.len; i++)
    if (with[i]) vec_push(&f->assumed, f->given.data[i].term);
  return ask(f, c->constraint, bad);
}

static void keep_failed(Filter *f, uint8_t *with) {
  for (uint32_t i = 0; i < f->given.len; i++)
    if (with[i] && !solver_failed(f->solver, f->given.data[i].term)) with[i] = 0;
}

/* Marks what of the body is needed against `bad`. False: it is not excluded, or the time is over. */
static bool justify(Filter *f, const ChcClause *c, Term bad) {
  uint32_t n = f->given.len;
  uint8_t *with = mem_alloc_zero(n + 1);
  for (uint32_t i = 0; i < n; i++) with[i] = is_needed(f, &f->given.data[i]);
  SolveAnswer answer = ask_with(f, c, bad, with);
  if (answer == SOLVE_SAT) {
    memset(with, 1, n);
    answer = ask_with(f, c, bad, with);
    if (answer == SOLVE_UNSAT) keep_failed(f, with);
    for (uint32_t i = n; i-- > 0 && answer == SOLVE_UNSAT && !f->over;) {
      if (!with[i] || is_needed(f, &f->given.data[i])) continue;
      with[i] = 0;
      if (ask_with(f, c, bad, with) == SOLVE_UNSAT)
        keep_failed(f, with);
      else
        with[i] = 1;
    }
    for (uint32_t i = 0; i < n && answer == SOLVE_UNSAT; i++)
      if (with[i]) need(f, &f->given.data[i]);
  }
  mem_free(with);
  return answer == SOLVE_UNSAT && !f->over;
}

/* That the clause has no solution at all. */
static bool justify_never(Filter *f, const ChcClause *c) {
  HornPredicate *nobody = unreached(f->h, c);
  if (nobody) need_nowhere(f, nobody);
  return nobody || (give_body(f, c) && justify(f, c, term_bool(f->t, true)));
}

/* Errors never happen. */
static bool justify_errors(Filter *f) {
  Horn *h = f->h;
  for (uint32_t i = 0; i < h->chc.clauses.len && !f->over; i++) {
    const ChcClause *c = &h->chc.clauses.data[i];
    if (c->head.predicate == CHC_NONE && !justify_never(f, c)) return false;
  }
  return !f->over;
}

/* What a clause says of its head: that a candidate holds, or that it is not reached. */
static bool justify_head(Filter *f, const ChcClause *c, const HornCandidate *candidate) {
  HornPredicate *nobody = unreached(f->h, c);
  if (!candidate) return justify_never(f, c);
  if (nobody) {
    need_nowhere(f, nobody);
    return true;
  }
  give_body(f, c);
  Map with = {0};
  horn_arguments(f->h, &c->head, &with);
  Term instance = term_substitute(f->t, candidate->term, &with);
  map_free(&with);
  uint64_t same = map_find(&f->known, instance, 0);
  if (same) need(f, &f->given.data[same - 1]);
  return same || justify(f, c, term_not(f->t, instance));
}

static bool justify_all(Filter *f, const uint32_t *clauses, uint32_t count,
                        const HornCandidate *candidate) {
  bool ok = true;
  for (uint32_t i = 0; i < count && ok && !f->over; i++)
    ok = justify_head(f, &f->h->chc.clauses.data[clauses[i]], candidate);
  return ok && !f->over;
}

static bool mark_needed(Filter *f) {
  Horn *h = f->h;
  VEC(uint32_t) *heads = mem_alloc_zero((h->predicates.len + 1) * sizeof *heads);
  for (uint32_t i = 0; i < h->chc.clauses.len; i++) {
    uint32_t p = h->chc.clauses.data[i].head.predicate;
    if (p != CHC_NONE) vec_push(&heads[p], i);
  }
  for (uint32_t i = 0; i < h->predicates.len; i++) /* places of nobody are not listed */
    if (h->predicates.data[i].tuple.count == 1 && !h->predicates.data[i].reached)
      need_nowhere(f, &h->predicates.data[i]);
  bool ok = justify_errors(f);
  while (ok && f->needed.len) {
    uint64_t next = vec_pop(&f->needed);
    uint32_t p = (uint32_t)(next >> 32), candidate = (uint32_t)next;
    ok = justify_all(
        f, heads[p].data, heads[p].len,
        candidate == NOWHERE ? NULL : &h->predicates.data[p].candidates.data[candidate]);
  }
  for (uint32_t i = 0; i < h->predicates.len; i++) vec_free(&heads[i]);
  mem_free(heads);
  return ok;
}

HornOutcome horn_filter(Horn *h, HornDropped dropped, const SolveLimit *limit) {
  Err err = {0};
  Filter f = {.h = h,
              .t = h->model->terms,
              .solver = solver_new(h->model->terms, SOLVER_SAT, &err),
              .limit = limit,
              .queued = mem_alloc_zero(h->chc.clauses.len + 1)};
  HornOutcome outcome = HORN_OPEN;
  for (uint32_t i = 0; i < h->predicates.len; i++)
    for (uint32_t k = 0; k < h->predicates.data[i].candidates.len; k++) {
      HornCandidate *c = &h->predicates.data[i].candidates.data[k];
      c->needed = false;
      c->dropped = c->dropped && dropped == HORN_DROPPED_STAYS;
    }
  if (f.solver) {
    weaken_all(&f);
    if (!f.over)
      outcome = mark_needed(&f) ? HORN_PROVED : f.over ? HORN_OPEN : HORN_TOO_WEAK;
  }
  err_free(&err);
  solver_free(f.solver);
  vec_free(&f.queue);
  vec_free(&f.given);
  vec_free(&f.assumed);
  vec_free(&f.needed);
  map_free(&f.known);
  mem_free(f.queued);
  return outcome;
}
