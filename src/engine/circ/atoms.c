/* Predicates from a contradiction: the weakest precondition of what is contradictory, step by step
 * from the end, and its atoms at every point. Only steps of the core add conditions; all others pass
 * on what comes from behind.
 *
 * An atom is a comparison without choices in it: `ite(c, a, b) == d` is taken apart into c, a == d and
 * b == d. What an atom says about a thread's own variables becomes a predicate about its kind's. Atoms about
 * inputs, or about the variables of two threads, are no predicates. */
#include "engine/circ/trace.h"

#include "base/mem.h"
#include "engine/terms.h"

enum { MOST_ATOMS = 4000 }; /* taken apart at one point */

typedef struct {
  const CircTrace *trace;
  Terms *terms;
  void (*found)(void *user, Term candidate);
  void *user;
  Map seen;         /* at this point */
  const Map *value; /* of variables, at this point of the trace */
} Atoms;

/* ---- an atom in the words of the model ---- */

typedef struct {
  const CircTrace *trace;
  Map with;
  uint32_t thread; /* + 1 */
  bool shared;     /* it has shared variables */
  bool foreign;
} Naming;

static void name_variable(void *user, Term variable) {
  Naming *n = user;
  CircOwner owner;
  const uint64_t *found = map_get(&n->trace->owner, variable);
  if (!found) {
    bool owned = circ_owner(n->trace->predicates, variable, &owner);
    n->foreign = n->foreign || !owned;
    n->shared = n->shared || owned;
    return;
  }
  uint32_t thread = (uint32_t)(*found >> 32);
  if (n->thread && n->thread != thread) n->foreign = true;
  n->thread = thread;
  uint32_t kind = n->trace->threads.data[thread - 1].kind;
  const CircKind *k = &n->trace->predicates->model->kinds.data[kind];
  map_put(&n->with, variable, k->locals.data[(uint32_t)*found].now);
}

/* Variables that have one value in the trace, whatever the beginning was. */
typedef struct {
  Atoms *atoms;
  Map with;
} Constants;

static void offer_plain(Atoms *a, Term atom);

static void find_constant(void *user, Term variable) {
  Constants *c = user;
  Terms *terms = c->atoms->terms;
  Term value = (Term)map_find(c->atoms->value, variable, 0);
  if (!value || term_kind(terms, value) != TERM_CONST) return;
  map_put(&c->with, variable, value);
  offer_plain(c->atoms, term_eq(terms, variable, value));
}

/* Not about two threads: a predicate. */
static void offer_plain(Atoms *a, Term atom) {
  Naming n = {.trace = a->trace};
  Map seen = {0};
  term_variables(a->terms, atom, &seen, name_variable, &n);
  if (!n.foreign) a->found(a->user, term_substitute(a->terms, atom, &n.with));
  map_free(&seen);
  map_free(&n.with);
}

/* One about several threads, or about shared variables as well, comes also as what it is with the values
 * that its variables have in the trace. */
static void offer(Atoms *a, Term atom) {
  Naming n = {.trace = a->trace};
  Map seen = {0}, again = {0};
  term_variables(a->terms, atom, &seen, name_variable, &n);
  if (n.foreign || (n.thread && n.shared)) {
    Constants c = {.atoms = a};
    term_variables(a->terms, atom, &again, find_constant, &c);
    if (c.with.len) offer_plain(a, term_substitute(a->terms, atom, &c.with));
    map_free(&c.with);
  }
  offer_plain(a, atom);
  map_free(&seen);
  map_free(&again);
  map_free(&n.with);
}

/* ---- taking apart ---- */

static Term compare(Terms *terms, TermKind kind, Term a, Term b) {
  if (kind == TERM_EQ) return term_eq(terms, a, b);
  return kind == TERM_ULT ? term_ult(terms, a, b) : term_slt(terms, a, b);
}

enum { MOST_LOOKED_AT = 1000 }; /* terms inside of one comparison */

static bool is_comparison(const Terms *terms, Term t) {
  TermKind kind = term_kind(terms, t);
  return kind == TERM_EQ || kind == TERM_ULT || kind == TERM_SLT;
}

/* The condition of some choice inside of the term, not below comparisons; 0: there is none. */
static Term choice_in(const Terms *terms, Term t) {
  TermVec queue = {0};
  Term condition = 0;
  vec_push(&queue, t);
  for (uint32_t i = 0; i < queue.len && i < MOST_LOOKED_AT && !condition; i++) {
    Term x = queue.data[i];
    if (term_kind(terms, x) == TERM_ITE) condition = term_operand(terms, x, 0);
    if (is_comparison(terms, x)) continue;
    for (int k = 0; k < 3 && term_operand(terms, x, k); k++)
      vec_push(&queue, term_operand(terms, x, k));
  }
  vec_free(&queue);
  return condition;
}

/* The term where the choices with this condition are decided. */
static Term decide(Terms *terms, Term t, Term condition, bool truth) {
  Map with = {0};
  TermVec queue = {0};
  vec_push(&queue, t);
  for (uint32_t i = 0; i < queue.len && i < MOST_LOOKED_AT; i++) {
    Term x = queue.data[i];
    if (map_get(&with, x)) continue;
    if (term_kind(terms, x) == TERM_ITE && term_operand(terms, x, 0) == condition)
      map_put(&with, x, term_operand(terms, x, truth ? 1 : 2));
    for (int k = 0; k < 3 && term_operand(terms, x, k); k++)
      vec_push(&queue, term_operand(terms, x, k));
  }
  vec_free(&queue);
  Term result = with.len ? term_substitute(terms, t, &with) : t;
  map_free(&with);
  return result;
}

/* The factors of a mask, a & b & c. */
static void factors_of(const Terms *terms, Term t, TermVec *ret) {
  enum { MOST_FACTORS = 5 };
  if (ret->len > MOST_FACTORS) return;
  if (term_kind(terms, t) != TERM_AND) {
    vec_push(ret, t);
    return;
  }
  factors_of(terms, term_operand(terms, t, 0), ret);
  factors_of(terms, term_operand(terms, t, 1), ret);
}

/* That no bit is in all of several masks is so because of some of them: who knows what a thread's mask has
 * in common with another need not know the word that both are used on. */
static void take_masks(Atoms *a, Term mask, Term zero, TermVec *stack) {
  TermVec factors = {0};
  factors_of(a->terms, mask, &factors);
  for (uint32_t out = 0; factors.len > 1 && out < factors.len; out++) {
    Term rest = 0;
    for (uint32_t i = 0; i < factors.len; i++)
      if (i != out)
        rest = rest ? term_and(a->terms, rest, factors.data[i]) : factors.data[i];
    vec_push(stack, term_eq(a->terms, rest, zero));
  }
  vec_free(&factors);
}

static void take_comparison(Atoms *a, Term t, TermVec *stack) {
  Term left = term_operand(a->terms, t, 0), right = term_operand(a->terms, t, 1);
  TermKind kind = term_kind(a->terms, t);
  Term c = choice_in(a->terms, left);
  if (!c) c = choice_in(a->terms, right);
  if (!c) {
    uint64_t number;
    offer(a, t);
    for (int side = 0; side < 2 && kind == TERM_EQ; side++) {
      Term zero = side ? left : right;
      if (term_get_const(a->terms, zero, &number) && !number)
        take_masks(a, side ? right : left, zero, stack);
    }
    return;
  }
  vec_push(stack, c);
  for (int truth = 0; truth < 2; truth++)
    vec_push(stack, compare(a->terms, kind, decide(a->terms, left, c, truth),
                            decide(a->terms, right, c, truth)));
}

/* All atoms of a condition. */
static void take_apart(Atoms *a, Term condition) {
  TermVec stack = {0};
  vec_push(&stack, condition);
  while (stack.len && a->seen.len < MOST_ATOMS) {
    Term t = vec_pop(&stack);
    if (map_get(&a->seen, t)) continue;
    map_put(&a->seen, t, 1);
    TermKind kind = term_kind(a->terms, t);
    if (kind == TERM_CONST) continue;
    bool truth = true; /* its operands are truth values, too */
    for (int i = 0; i < 3 && term_operand(a->terms, t, i); i++)
      truth = truth && term_bits(a->terms, term_operand(a->terms, t, i)) == 1;
    if (kind != TERM_VAR && truth) {
      for (int i = 0; i < 3 && term_operand(a->terms, t, i); i++)
        vec_push(&stack, term_operand(a->terms, t, i));
    } else if (is_comparison(a->terms, t)) {
      take_comparison(a, t, &stack);
    } else {
      offer(a, t);
    }
  }
  vec_free(&stack);
}

/* ---- what two threads have in common ---- */

/* Equal numbers have equal parts: what both sides were made of in the same way. */
static void strip(const Terms *terms, Term *one, Term *two) {
  for (;;) {
    TermKind kind = term_kind(terms, *one);
    if (kind != term_kind(terms, *two)) return;
    Term a = term_operand(terms, *one, 0), b = term_operand(terms, *one, 1);
    Term c = term_operand(terms, *two, 0), d = term_operand(terms, *two, 1);
    if (kind == TERM_SEXT && term_bits(terms, a) == term_bits(terms, c))
      *one = a, *two = c;
    else if ((kind == TERM_CONCAT || kind == TERM_ADD) && a == c)
      *one = b, *two = d;
    else if ((kind == TERM_CONCAT || kind == TERM_ADD) && b == d)
      *one = a, *two = c;
    else
      return;
  }
}

static void transfer(Atoms *a, const TermVec *conditions, Term equal) {
  if (term_kind(a->terms, equal) != TERM_EQ) return;
  Term sides[2] = {term_operand(a->terms, equal, 0), term_operand(a->terms, equal, 1)};
  strip(a->terms, &sides[0], &sides[1]);
  for (int from = 0; from < 2; from++)
    for (uint32_t i = 0; i < conditions->len; i++) {
      Map with = {0};
      if (term_kind(a->terms, sides[from]) == TERM_CONST || conditions->data[i] == equal)
        continue;
      map_put(&with, sides[from], sides[1 - from]);
      Term other = term_substitute(a->terms, conditions->data[i], &with);
      if (other != conditions->data[i]) take_apart(a, other);
      map_free(&with);
    }
}

static void find_element(void *user, Term variable) {
  Term *element = user;
  if (variable == *element) *element = 0;
}

static bool is_about_element(const Atoms *a, Term t) {
  const CircModel *m = a->trace->predicates->model;
  Term element = m->element ? m->shared.data[m->element - 1].now : 0;
  if (!element) return false;
  Map seen = {0};
  term_variables(a->terms, t, &seen, find_element, &element);
  map_free(&seen);
  return !element;
}

/* Both accesses are to the same place only if their indices are the same: what is said about the one is
 * then true of the other, and no longer about two threads. The same if both are at the element that the question is
 * about: then what is said about an index is said about the element, and about no thread. */
static void take_transferred(Atoms *a, const TermVec *conditions, const uint8_t *goal) {
  for (uint32_t i = 0; i < conditions->len; i++) {
    TermVec parts = {0};
    if (goal[i] == 1 + TRACE_MEET) transfer(a, conditions, conditions->data[i]);
    if (goal[i] && goal[i] != 1 + TRACE_MEET)
      terms_conjuncts(a->terms, conditions->data[i], &parts);
    for (uint32_t k = 0; k < parts.len; k++)
      if (is_about_element(a, parts.data[k])) transfer(a, conditions, parts.data[k]);
    vec_free(&parts);
  }
}

/* ---- backwards ---- */

void circ_trace_predicates(const CircTrace *t, const uint8_t *core, Terms *terms,
                           void (*found)(void *user, Term candidate), void *user) {
  Atoms a = {.trace = t, .terms = terms, .found = found, .user = user};
  TermVec conditions = {0};
  uint8_t *goal =
      mem_alloc_zero(TRACE_GOALS + t->steps.len); /* by condition: which + 1 */
  for (uint32_t g = 0; g < TRACE_GOALS; g++) {
    if (!t->goals[g] || !core[t->steps.len + g]) continue;
    goal[conditions.len] = (uint8_t)(g + 1);
    vec_push(&conditions, t->goals[g]);
  }
  for (uint32_t s = t->steps.len + 1; s-- > 0;) {
    map_clear(&a.seen);
    a.value = s < t->steps.len ? &t->steps.data[s].before : &t->value;
    for (uint32_t i = 0; i < conditions.len; i++) take_apart(&a, conditions.data[i]);
    take_transferred(&a, &conditions, goal);
    if (s == 0) break;
    const TraceStep *step = &t->steps.data[s - 1];
    Map with = {0};
    for (uint32_t i = 0; i < step->change.len; i++)
      map_put(&with, step->change.entries[i].key, step->change.entries[i].value);
    for (uint32_t i = 0; i < conditions.len; i++)
      conditions.data[i] = term_substitute(terms, conditions.data[i], &with);
    map_free(&with);
    if (core[s - 1]) vec_push(&conditions, step->guard);
  }
  vec_free(&conditions);
  mem_free(goal);
  map_free(&a.seen);
}

/* ---- forwards ---- */

/* What a step of the core has found out, in the names of what it has set: behind `c := max` with
 * `max < e`, that is `c < e`. */
void circ_trace_consequences(const CircTrace *t, const uint8_t *core, Terms *terms,
                             void (*found)(void *user, Term candidate), void *user) {
  Atoms a = {.trace = t, .terms = terms, .found = found, .user = user};
  for (uint32_t s = 0; s < t->steps.len; s++) {
    const TraceStep *step = &t->steps.data[s];
    if (!core[s]) continue;
    Map with = {0};
    for (uint32_t i = 0; i < step->change.len; i++) {
      Term value = (Term)step->change.entries[i].value;
      if (term_kind(terms, value) != TERM_CONST)
        map_put(&with, value, step->change.entries[i].key);
    }
    map_clear(&a.seen);
    a.value = s + 1 < t->steps.len ? &t->steps.data[s + 1].before : &t->value;
    take_apart(&a, term_substitute(terms, step->guard, &with));
    map_free(&with);
  }
  map_free(&a.seen);
}
