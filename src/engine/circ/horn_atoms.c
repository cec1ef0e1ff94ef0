/* Candidates that need no oracle: how two variables compare, and how one compares with a constant that the
 * program compares with or sets; and these under a condition about shared variables. See horn.h. */
#include "engine/circ/horn.h"

enum { MOST_CONSTANTS = 12, MOST_CANDIDATES = 400, MOST_CONDITIONS = 6 };

typedef struct {
  Horn *h;
  Terms *t;
  Map seen;
  Map is_signed, is_unsigned; /* variables that are compared so */
  VEC(Term) constants;
} Atoms;

/* ---- what the program compares ---- */

typedef struct {
  Atoms *x;
  Map *set;
} Noting;

static void note(void *user, Term variable) {
  Noting *n = user;
  map_put(n->set, variable, 1);
}

static void note_all(Atoms *x, Term t, Map *set) {
  Map seen = {0};
  Noting n = {x, set};
  term_variables(x->t, t, &seen, note, &n);
  map_free(&seen);
}

static void note_constant(Atoms *x, Term t) {
  if (!term_const_words(x->t, t) || term_bits(x->t, t) < 2) return;
  uint32_t same = 0;
  for (uint32_t i = 0; i < x->constants.len; i++) {
    if (x->constants.data[i] == t) return;
    same += term_bits(x->t, x->constants.data[i]) == term_bits(x->t, t);
  }
  if (same < MOST_CONSTANTS) vec_push(&x->constants, t);
}

/* Signs and constants of comparisons in the term. */
static void look_into(Atoms *x, Term t) {
  VEC(Term) stack = {0};
  vec_push(&stack, t);
  while (stack.len) {
    Term top = vec_pop(&stack);
    uint64_t *seen = map_at(&x->seen, top);
    if (*seen) continue;
    *seen = 1;
    TermKind kind = term_kind(x->t, top);
    bool compares = kind == TERM_EQ || kind == TERM_ULT || kind == TERM_SLT;
    if (kind == TERM_SLT || kind == TERM_SEXT) note_all(x, top, &x->is_signed);
    if (kind == TERM_ULT) note_all(x, top, &x->is_unsigned);
    for (int i = 0; i < 3; i++) {
      Term operand = term_operand(x->t, top, i);
      if (!operand) continue;
      vec_push(&stack, operand);
      if (compares) note_constant(x, operand);
    }
  }
  vec_free(&stack);
}

static void look_at_model(Atoms *x) {
  const CircModel *m = x->h->model;
  for (uint32_t i = 0; i < m->shared.len; i++)
    if (m->shared.data[i].start) note_constant(x, m->shared.data[i].start);
  for (uint32_t n = 0; n < m->kinds.len; n++) {
    const CircKind *k = &m->kinds.data[n];
    for (uint32_t i = 0; i < k->all.len; i++) look_into(x, k->all.data[i].guard);
    for (uint32_t i = 0; i < k->events.len; i++) look_into(x, k->events.data[i].guard);
    for (uint32_t i = 0; i < k->sets.len; i++) {
      look_into(x, k->sets.data[i].value);
      note_constant(x, k->sets.data[i].value);
    }
  }
}

/* ---- candidates ---- */

bool horn_add_candidate(Horn *h, uint32_t predicate, Term term) {
  HornPredicate *p = &h->predicates.data[predicate];
  if (term_const_words(h->model->terms, term)) return false;
  for (uint32_t i = 0; i < p->candidates.len; i++)
    if (p->candidates.data[i].term == term) return false;
  vec_push(&p->candidates, ((HornCandidate){.term = term}));
  return true;
}

/* The variable of the program behind a parameter: copies are not in its terms. */
static Term origin(const Atoms *x, const HornPredicate *p, uint32_t parameter) {
  HornParameter y = p->parameters.data[parameter];
  const CircModel *m = x->h->model;
  if (y.slot == HORN_SHARED) return m->shared.data[y.variable].now;
  return m->kinds.data[p->tuple.at[y.slot].kind].locals.data[y.variable].now;
}

/* a <= b, a >= b, as the program compares them. */
static void add_orders(Atoms *x, uint32_t predicate, Term a, Term b, bool is_signed,
                       bool is_unsigned) {
  if (is_signed) {
    horn_add_candidate(x->h, predicate, term_sle(x->t, a, b));
    horn_add_candidate(x->h, predicate, term_sle(x->t, b, a));
  }
  if (is_unsigned || !is_signed) {
    horn_add_candidate(x->h, predicate, term_ule(x->t, a, b));
    horn_add_candidate(x->h, predicate, term_ule(x->t, b, a));
  }
}

static void add_pair(Atoms *x, uint32_t number, Term a, Term b, bool is_signed,
                     bool is_unsigned) {
  Terms *t = x->t;
  horn_add_candidate(x->h, number, term_eq(t, a, b));
  horn_add_candidate(x->h, number, term_not(t, term_eq(t, a, b)));
  if (term_bits(t, a) == 1) return;
  add_orders(x, number, a, b, is_signed, is_unsigned);
  if (term_const_words(t, b)) return;
  Term one = term_const(t, term_bits(t, a), 1);
  horn_add_candidate(x->h, number, term_eq(t, a, term_add(t, b, one)));
  horn_add_candidate(x->h, number, term_eq(t, b, term_add(t, a, one)));
}

static void add_to(Atoms *x, uint32_t number) {
  Horn *h = x->h;
  const HornPredicate *p = &h->predicates.data[number];
  const ChcAtom *atom = &h->chc.predicates.data[number];
  for (uint32_t i = 0; i < atom->count; i++) {
    Term a = h->chc.arguments.data[atom->first + i], from = origin(x, p, i);
    bool is_signed = map_find(&x->is_signed, from, 0);
    bool is_unsigned = map_find(&x->is_unsigned, from, 0);
    uint32_t bits = term_bits(x->t, a);
    if (bits == 1) {
      horn_add_candidate(h, number, a);
      horn_add_candidate(h, number, term_not(x->t, a));
    }
    for (uint32_t k = 0; k < x->constants.len && bits > 1; k++)
      if (term_bits(x->t, x->constants.data[k]) == bits)
        add_pair(x, number, a, x->constants.data[k], is_signed, is_unsigned);
    for (uint32_t k = 0; k < i && p->candidates.len < MOST_CANDIDATES; k++) {
      Term b = h->chc.arguments.data[atom->first + k], other = origin(x, p, k);
      if (term_bits(x->t, b) == bits)
        add_pair(x, number, a, b, is_signed || map_find(&x->is_signed, other, 0),
                 is_unsigned || map_find(&x->is_unsigned, other, 0));
    }
  }
}

void horn_add_atoms(Horn *h) {
  Atoms x = {.h = h, .t = h->model->terms};
  look_at_model(&x);
  for (uint32_t i = 0; i < h->predicates.len; i++) add_to(&x, i);
  map_free(&x.seen);
  map_free(&x.is_signed);
  map_free(&x.is_unsigned);
  vec_free(&x.constants);
}

/* ---- under a condition ---- */

typedef VEC(Term) Conditions;

static bool is_shared(const Horn *h, Term t) {
  for (uint32_t i = 0; i < h->model->shared.len; i++)
    if (h->model->shared.data[i].now == t) return true;
  return false;
}

/* A shared truth value, or a shared variable and a constant: what is said of locks and flags. */
static void find_conditions(const Horn *h, const HornPredicate *p, Conditions *ret) {
  const Terms *t = h->model->terms;
  for (uint32_t i = 0; i < p->candidates.len && ret->len < MOST_CONDITIONS; i++) {
    Term c = p->candidates.data[i].term;
    bool equal = term_kind(t, c) == TERM_EQ;
    Term a = equal ? term_operand(t, c, 0) : c, b = equal ? term_operand(t, c, 1) : 0;
    if (term_kind(t, a) == TERM_VAR && is_shared(h, a) &&
        (!equal || term_const_words(t, b)))
      vec_push(ret, c);
  }
}

void horn_add_conditional(Horn *h) {
  Terms *t = h->model->terms;
  for (uint32_t n = 0; n < h->predicates.len; n++) {
    HornPredicate *p = &h->predicates.data[n];
    uint32_t count = p->candidates.len;
    Conditions conditions = {0};
    find_conditions(h, p, &conditions);
    for (uint32_t k = 0; k < count && p->reached; k++) {
      Term c = p->candidates.data[k].term;
      bool differs =
          term_kind(t, c) == TERM_NOT && term_kind(t, term_operand(t, c, 0)) == TERM_EQ;
      if (!p->candidates.data[k].dropped || differs) continue;
      for (uint32_t i = 0; i < conditions.len; i++) {
        Term when = conditions.data[i];
        horn_add_candidate(h, n, term_or(t, when, c));
        horn_add_candidate(h, n, term_or(t, term_not(t, when), c));
      }
    }
    vec_free(&conditions);
  }
}
