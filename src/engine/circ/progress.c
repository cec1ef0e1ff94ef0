/* See progress.h. */
#include "engine/circ/progress.h"

typedef VEC(Term) TermVec;

/* ---- numbers of the program ---- */

static uint64_t key_of(const Terms *t, Term constant) {
  uint64_t value = 0;
  term_get_const(t, constant, &value);
  return value ^ (uint64_t)term_bits(t, constant) << 56;
}

static void push_new(TermVec *stack, Map *seen, Term term) {
  uint64_t *slot = map_at(seen, term);
  if (!*slot) vec_push(stack, term);
  *slot = 1;
}

static void find_numbers(CircPredicates *ps) {
  const CircModel *m = ps->model;
  TermVec stack = {0};
  Map seen = {0};
  for (uint32_t i = 0; i < m->kinds.len; i++) {
    const CircKind *k = &m->kinds.data[i];
    for (uint32_t n = 0; n < k->all.len; n++)
      push_new(&stack, &seen, k->all.data[n].guard);
    for (uint32_t n = 0; n < k->sets.len; n++)
      push_new(&stack, &seen, k->sets.data[n].value);
    for (uint32_t n = 0; n < k->start_sets.len; n++)
      push_new(&stack, &seen, k->start_sets.data[n].value);
  }
  while (stack.len) {
    Term t = vec_pop(&stack), operand;
    if (term_const_words(m->terms, t)) map_put(&ps->numbers, key_of(m->terms, t), 1);
    for (int i = 0; (operand = term_operand(m->terms, t, i)); i++)
      push_new(&stack, &seen, operand);
  }
  ps->numbers_known = true;
  vec_free(&stack);
  map_free(&seen);
}

/* ---- progressions ---- */

/* The same but for numbers. A sum may have none, where others have one; *strange: a number of a that stands
 * nowhere. */
static bool is_like(const CircPredicates *ps, Term a, Term b, bool *strange) {
  const Terms *t = ps->model->terms;
  TermKind kind = term_kind(t, a);
  if (kind == TERM_CONST) {
    *strange = *strange || !map_get(&ps->numbers, key_of(t, a));
    return term_kind(t, b) == TERM_CONST && term_bits(t, a) == term_bits(t, b);
  }
  if (kind == TERM_VAR) return a == b;
  if (kind == TERM_ADD && term_const_words(t, term_operand(t, a, 1)) &&
      term_kind(t, b) != TERM_ADD)
    return is_like(ps, term_operand(t, a, 1), term_operand(t, a, 1), strange) &&
           is_like(ps, term_operand(t, a, 0), b, strange);
  if (kind != term_kind(t, b) || term_bits(t, a) != term_bits(t, b) ||
      (kind == TERM_EXTRACT && term_low(t, a) != term_low(t, b)))
    return false;
  for (int i = 0; term_operand(t, a, i); i++)
    if (!term_operand(t, b, i) ||
        !is_like(ps, term_operand(t, a, i), term_operand(t, b, i), strange))
      return false;
  return true;
}

uint32_t circ_progress(CircPredicates *ps, Term term, bool strange) {
  uint32_t same = 0;
  if (!ps->numbers_known) find_numbers(ps);
  if (term_kind(ps->model->terms, term) == TERM_NOT)
    term = term_operand(ps->model->terms, term, 0);
  for (uint32_t i = 0; i < ps->list.len; i++) {
    bool is_strange = false;
    same +=
        is_like(ps, ps->list.data[i].term, term, &is_strange) && (!strange || is_strange);
  }
  return same;
}

uint32_t circ_progress_all(CircPredicates *ps) {
  enum { FEW = 3 };
  uint32_t all = 0;
  for (uint32_t i = 0; i < ps->list.len; i++) {
    bool strange = false;
    Term term = ps->list.data[i].term;
    if (circ_progress(ps, term, true) < FEW) continue;
    is_like(ps, term, term, &strange);
    all += strange;
  }
  return all;
}

/* ---- bounds ---- */

/* The term compares this with a number; 0: it does not. */
static Term compared(const Terms *t, Term term, uint64_t *ret_number) {
  if (term_kind(t, term) == TERM_NOT) term = term_operand(t, term, 0);
  if (term_kind(t, term) != TERM_EQ) return 0;
  Term a = term_operand(t, term, 0), b = term_operand(t, term, 1);
  if (term_bits(t, a) > 64 || term_bits(t, a) < 8) return 0;
  if (term_const_words(t, a) && term_get_const(t, a, ret_number)) return b;
  return term_const_words(t, b) && term_get_const(t, b, ret_number) ? a : 0;
}

/* Nothing on the one side of the number. Where it goes up, that is what is less. */
static void bound_at(Terms *t, Term what, uint64_t number, bool up,
                     void (*found)(void *user, Term bound), void *user) {
  Term at = term_const(t, term_bits(t, what), number);
  found(user, up ? term_slt(t, what, at) : term_slt(t, at, what));
  found(user, up ? term_ult(t, what, at) : term_ult(t, at, what));
}

static bool has_number(const CircPredicates *ps, Term what, uint64_t number) {
  uint64_t other;
  for (uint32_t i = 0; i < ps->list.len; i++)
    if (compared(ps->model->terms, ps->list.data[i].term, &other) == what &&
        other == number)
      return true;
  return false;
}

/* From the last number to this one is a step; one goes back as far as there are numbers. */
void circ_progress_bounds(CircPredicates *ps, Term term,
                          void (*found)(void *user, Term bound), void *user) {
  Terms *t = ps->model->terms;
  uint64_t number, last = 0, other;
  Term what = compared(t, term, &number);
  bool some = false;
  for (uint32_t i = 0; what && i < ps->list.len; i++) {
    if (compared(t, ps->list.data[i].term, &other) != what) continue;
    last = other;
    some = true;
  }
  if (!some || has_number(ps, what, number) || map_get(&ps->bounded, what)) return;
  map_put(&ps->bounded, what, 1);
  uint32_t bits = term_bits(t, what);
  uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
  uint64_t step = (number - last) & mask, first = last;
  for (uint32_t i = 0; i < ps->list.len; i++) {
    uint64_t before = (first - step) & mask;
    if (!has_number(ps, what, before)) break;
    first = before;
  }
  bound_at(t, what, first, !(step >> (bits - 1)), found, user);
}
