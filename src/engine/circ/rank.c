/* See rank.h. */
#include "engine/circ/rank.h"

#include "engine/circ/progress.h"

typedef struct {
  const CircPredicates *predicates;
  uint32_t shared, own;
  bool element; /* it is about the element, too, which never changes */
} Variables;

static void count_variable(void *user, Term variable) {
  Variables *v = user;
  CircOwner owner = {0};
  bool known = circ_owner(v->predicates, variable, &owner);
  const CircModel *m = v->predicates->model;
  if (m->element && variable == m->shared.data[m->element - 1].now) {
    v->element = true;
    return;
  }
  v->shared += known && owner.kind == CIRC_NOBODY;
  v->own += known && owner.kind != CIRC_NOBODY;
}

/* What goes through number after number does not become known by one more of them: then whatever else there is to
 * say comes first. */
bool circ_is_one_of_many(CircPredicates *ps, Term term) {
  enum { MANY = 4 };
  return circ_progress(ps, term, false) >= MANY;
}

/* A variable is equal to a constant. */
static bool is_number(const Terms *t, Term term) {
  if (term_kind(t, term) != TERM_EQ) return false;
  Term a = term_operand(t, term, 0), b = term_operand(t, term, 1);
  return (term_kind(t, a) == TERM_VAR && term_const_words(t, b)) ||
         (term_kind(t, b) == TERM_VAR && term_const_words(t, a));
}

Rank circ_rank(CircPredicates *ps, Term term) {
  Map seen = {0};
  Variables v = {.predicates = ps};
  term_variables(ps->model->terms, term, &seen, count_variable, &v);
  map_free(&seen);
  bool apart = ps->model->question.fine && v.shared;
  bool simple = v.shared + v.own == 1 && !v.element,
       number = !v.shared && !v.own && is_number(ps->model->terms, term);
  return number || circ_is_one_of_many(ps, term) ? RANK_LATE
         : simple                                ? (apart ? RANK_SHARED : RANK_SIMPLE)
         : v.shared && v.own                     ? RANK_MIXED
                                                 : RANK_OTHER;
}
