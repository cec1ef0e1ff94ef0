/* Candidates that are sums: the linear equations that hold of a tuple's variables. See horn.h, affine.h.
 *
 * Every predicate has a set of points, empty in the beginning, for each value of the shared truth values (a lock is held,
 * a thread has ended): what holds of a sum is often not true in the middle of a section. A clause that allows a point
 * outside of its head's set adds it, until none does. As in the filter, what is known already of a body helps. What
 * is found are candidates like others: the filter decides.
 *
 * Small points are asked for first: they lie on what the program's own numbers do, not on what wraps. */
#include "engine/circ/affine.h"
#include "engine/circ/horn.h"

#include "base/clock.h"

enum {
  MOST_CASES = 4,      /* truth values that are told apart */
  MOST_VARIABLES = 24, /* of one width */
  MOST_POINTS = 120,   /* of one predicate */
  SMALL_BITS = 12,     /* of a small number */
};
static const uint32_t widths[] = {32, 64, 8, 16};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* What is known of a predicate. */
typedef struct {
  uint32_t cases[MOST_CASES], case_count; /* parameters */
  AffineNumbers variables[WIDTHS];        /* parameters of that width */
  Affine *sets;                           /* by values of cases, then by width */
  uint32_t points;
} Sums;

typedef struct {
  Horn *h;
  Terms *t;
  Solver *solver;
  const SolveLimit *limit;
  Sums *sums; /* by predicate */
  VEC(uint32_t) queue;
  uint32_t next;
  uint8_t *queued;
  VEC(Term) assumed;
  bool over;
} Finder;

static uint32_t case_values(const Sums *s) {
  return 1u << s->case_count;
}

static void prepare(const Horn *h, uint32_t number, Sums *s) {
  const HornPredicate *p = &h->predicates.data[number];
  const ChcAtom *atom = &h->chc.predicates.data[number];
  for (uint32_t i = 0; i < p->parameters.len; i++) {
    uint32_t bits = term_bits(h->model->terms, h->chc.arguments.data[atom->first + i]);
    if (bits == 1 && p->parameters.data[i].slot == HORN_SHARED &&
        s->case_count < MOST_CASES)
      s->cases[s->case_count++] = i;
    for (uint32_t w = 0; w < WIDTHS; w++)
      if (bits == widths[w] && s->variables[w].len < MOST_VARIABLES)
        vec_push(&s->variables[w], i);
  }
  s->sets = mem_alloc_zero(case_values(s) * WIDTHS * sizeof *s->sets);
  for (uint32_t i = 0; i < case_values(s) * WIDTHS; i++)
    s->sets[i] =
        (Affine){.count = s->variables[i % WIDTHS].len, .bits = widths[i % WIDTHS]};
}

static void release(Sums *s) {
  for (uint32_t i = 0; s->sets && i < case_values(s) * WIDTHS; i++)
    affine_free(&s->sets[i]);
  for (uint32_t w = 0; w < WIDTHS; w++) vec_free(&s->variables[w]);
  mem_free(s->sets);
}

/* ---- as terms, over the arguments of an atom ---- */

static Term argument(const Finder *f, const ChcAtom *atom, uint64_t parameter) {
  return f->h->chc.arguments.data[atom->first + parameter];
}

/* The truth values are not these. */
static Term other_case(const Finder *f, const ChcAtom *atom, const Sums *s,
                       uint32_t values) {
  Term other = term_bool(f->t, false);
  for (uint32_t i = 0; i < s->case_count; i++) {
    Term is = argument(f, atom, s->cases[i]);
    other = term_or(f->t, other, values >> i & 1 ? term_not(f->t, is) : is);
  }
  return other;
}

/* Factors that are negative, as numbers with signs, go to the other side. */
static Term row_holds(const Finder *f, const ChcAtom *atom, const Sums *s, uint32_t width,
                      const uint64_t *row) {
  uint32_t n = s->variables[width].len, bits = widths[width];
  Term sides[2] = {term_const(f->t, bits, 0), term_const(f->t, bits, 0)};
  for (uint32_t i = 0; i <= n; i++) {
    uint64_t factor = row[i];
    bool last = i == n, negative = factor >> (bits - 1) & 1;
    if (!factor) continue;
    if (negative) factor = 0 - factor;
    Term x = term_const(f->t, bits, factor);
    if (!last) x = term_mul(f->t, x, argument(f, atom, s->variables[width].data[i]));
    Term *side = &sides[negative != last];
    *side = term_add(f->t, *side, x);
  }
  return term_eq(f->t, sides[0], sides[1]);
}

/* Everything that is known of the atom, one term after the other. */
static void each_term(const Finder *f, const ChcAtom *atom,
                      void (*found)(void *user, Term term), void *user) {
  const Sums *s = &f->sums[atom->predicate];
  for (uint32_t values = 0; values < case_values(s); values++) {
    Term other = other_case(f, atom, s, values);
    for (uint32_t w = 0; w < WIDTHS; w++) {
      const Affine *a = &s->sets[values * WIDTHS + w];
      uint32_t width = a->count + 1;
      if (!a->some) found(user, other);
      for (uint32_t i = 0; i + width <= a->rows.len && a->some && a->count; i += width)
        found(user, term_or(f->t, other, row_holds(f, atom, s, w, &a->rows.data[i])));
    }
  }
}

static void assume(void *user, Term term) {
  Finder *f = user;
  if (!term_is_true(f->t, term)) vec_push(&f->assumed, term);
}

typedef struct {
  Terms *t;
  Term all;
} All;

static void conjoin(void *user, Term term) {
  All *x = user;
  x->all = term_and(x->t, x->all, term);
}

/* ---- points ---- */

static void give_candidates(Finder *f, const ChcAtom *atom) {
  const HornPredicate *p = &f->h->predicates.data[atom->predicate];
  Map with = {0};
  horn_arguments(f->h, atom, &with);
  for (uint32_t i = 0; i < p->candidates.len; i++)
    if (!p->candidates.data[i].dropped)
      assume(f, term_substitute(f->t, p->candidates.data[i].term, &with));
  map_free(&with);
}

/* False: the clause says nothing. */
static bool give_body(Finder *f, const ChcClause *c) {
  vec_clear(&f->assumed);
  for (uint32_t i = 0; i < c->atom_count; i++) {
    const ChcAtom *atom = &f->h->chc.atoms.data[c->first_atom + i];
    if (!f->h->predicates.data[atom->predicate].reached ||
        !f->sums[atom->predicate].points)
      return false;
    give_candidates(f, atom);
    each_term(f, atom, assume, f);
  }
  assume(f, c->constraint);
  return true;
}

static Term is_small(const Finder *f, const ChcAtom *atom) {
  const Sums *s = &f->sums[atom->predicate];
  Term small = term_bool(f->t, true);
  for (uint32_t w = 0; w < WIDTHS; w++)
    for (uint32_t i = 0; i < s->variables[w].len && widths[w] > SMALL_BITS; i++) {
      Term x = argument(f, atom, s->variables[w].data[i]);
      Term up = term_const(f->t, widths[w], UINT64_C(1) << (SMALL_BITS - 1));
      Term end = term_const(f->t, widths[w], UINT64_C(1) << SMALL_BITS);
      small = term_and(f->t, small, term_ult(f->t, term_add(f->t, x, up), end));
    }
  return small;
}

static SolveAnswer ask(Finder *f, const ChcAtom *head) {
  f->over = !horn_renew_solver(f->t, &f->solver);
  if (f->over) return SOLVE_UNKNOWN;
  vec_push(&f->assumed, is_small(f, head));
  SolveAnswer answer = solver_check(f->solver, f->assumed.data, f->assumed.len, f->limit);
  (void)vec_pop(&f->assumed);
  if (answer == SOLVE_UNSAT)
    answer = solver_check(f->solver, f->assumed.data, f->assumed.len, f->limit);
  if (answer == SOLVE_UNKNOWN) f->over = true;
  return answer;
}

static void add_point(Finder *f, const ChcAtom *head) {
  Sums *s = &f->sums[head->predicate];
  uint32_t values = 0;
  uint64_t point[MOST_VARIABLES];
  for (uint32_t i = 0; i < s->case_count; i++)
    values |= (uint32_t)(solver_number(f->solver, argument(f, head, s->cases[i])) & 1)
              << i;
  for (uint32_t w = 0; w < WIDTHS; w++) {
    for (uint32_t i = 0; i < s->variables[w].len; i++)
      point[i] = solver_number(f->solver, argument(f, head, s->variables[w].data[i]));
    affine_add(&s->sets[values * WIDTHS + w], point);
  }
  if (++s->points > MOST_POINTS) f->over = true;
}

static bool is_over(const Finder *f) {
  return f->over || (f->limit->stop && *f->limit->stop) ||
         clock_now() >= f->limit->deadline;
}

static void look(Finder *f, uint32_t number) {
  const ChcClause *c = &f->h->chc.clauses.data[number];
  bool more = false;
  while (c->head.predicate != CHC_NONE && !is_over(f) && give_body(f, c)) {
    All known = {f->t, term_bool(f->t, true)};
    each_term(f, &c->head, conjoin, &known);
    assume(f, term_not(f->t, known.all));
    if (term_is_true(f->t, known.all) || ask(f, &c->head) != SOLVE_SAT) break;
    add_point(f, &c->head);
    more = true;
  }
  if (!more) return;
  const HornPredicate *p = &f->h->predicates.data[c->head.predicate];
  for (uint32_t i = 0; i < p->uses.len; i++) {
    if (f->queued[p->uses.data[i]]) continue;
    f->queued[p->uses.data[i]] = 1;
    vec_push(&f->queue, p->uses.data[i]);
  }
}

typedef struct {
  Horn *h;
  uint32_t predicate, added;
} Adding;

static void add_candidate(void *user, Term term) {
  Adding *x = user;
  x->added += horn_add_candidate(x->h, x->predicate, term);
}

uint32_t horn_add_sums(Horn *h, const SolveLimit *limit) {
  Finder f = {.h = h,
              .t = h->model->terms,
              .limit = limit,
              .sums = mem_alloc_zero((h->predicates.len + 1) * sizeof *f.sums),
              .queued = mem_alloc_zero(h->chc.clauses.len + 1)};
  Adding adding = {.h = h};
  for (uint32_t i = 0; i < h->predicates.len; i++) prepare(h, i, &f.sums[i]);
  for (uint32_t i = 0; i < h->chc.clauses.len; i++)
    if (!h->chc.clauses.data[i].atom_count) vec_push(&f.queue, i);
  while (f.next < f.queue.len && !is_over(&f)) {
    uint32_t clause = f.queue.data[f.next++];
    f.queued[clause] = 0;
    look(&f, clause);
  }
  for (uint32_t i = 0; i < h->predicates.len && !is_over(&f); i++) {
    adding.predicate = i;
    if (f.sums[i].points)
      each_term(&f, &h->chc.predicates.data[i], add_candidate, &adding);
  }
  for (uint32_t i = 0; i < h->predicates.len; i++) release(&f.sums[i]);
  mem_free(f.sums);
  mem_free(f.queued);
  vec_free(&f.queue);
  vec_free(&f.assumed);
  solver_free(f.solver);
  return adding.added;
}
