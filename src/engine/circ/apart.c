/* Two accesses at the same time: are they at the same bytes? See abstract.h.
 *
 * What is known of each of two threads, of the shared variables that both see, and that the bytes overlap:
 * if that is contradictory, they are no race. The second thread's variables and inputs get names of their
 * own for it. */
#include "engine/circ/abstract_internal.h"

/* ---- bytes ---- */

/* So many of the lowest bits are 0, at a look. */
static uint32_t low_zeros(const Terms *t, Term term, int depth) {
  uint64_t value;
  uint32_t bits = term_bits(t, term);
  Term a = term_operand(t, term, 0), b = term_operand(t, term, 1);
  if (term_get_const(t, term, &value)) {
    uint32_t n = 0;
    while (n < bits && !(value >> n & 1)) n++;
    return n;
  }
  if (!depth) return 0;
  if (term_kind(t, term) == TERM_CONCAT) {
    uint32_t low = low_zeros(t, b, depth - 1);
    return low == term_bits(t, b) ? low + low_zeros(t, a, depth - 1) : low;
  }
  if (term_kind(t, term) == TERM_SHL)
    return term_get_const(t, b, &value) && value < bits ? (uint32_t)value : 0;
  if (term_kind(t, term) == TERM_ITE) {
    uint32_t one = low_zeros(t, b, depth - 1);
    uint32_t two = low_zeros(t, term_operand(t, term, 2), depth - 1);
    return one < two ? one : two;
  }
  if (term_kind(t, term) == TERM_SEXT) return low_zeros(t, a, depth - 1);
  if (term_kind(t, term) != TERM_ADD && term_kind(t, term) != TERM_MUL) return 0;
  uint32_t one = low_zeros(t, a, depth - 1), two = low_zeros(t, b, depth - 1);
  if (term_kind(t, term) == TERM_MUL) return one + two < bits ? one + two : bits;
  return one < two ? one : two;
}

/* Of elements that lie at multiples of their size only the same ones overlap. */
Term circ_overlap(Terms *t, Term a, uint32_t a_size, Term b, uint32_t b_size) {
  enum { DEEPEST = 20 };
  uint32_t one = low_zeros(t, a, DEEPEST), two = low_zeros(t, b, DEEPEST);
  uint32_t zeros = one < two ? one : two, size = a_size > b_size ? a_size : b_size;
  if (zeros >= 32 || UINT64_C(1) << zeros >= size) return term_eq(t, a, b);
  Term behind = term_ult(t, term_sub(t, a, b), term_const(t, 64, b_size));
  Term before = term_ult(t, term_sub(t, b, a), term_const(t, 64, a_size));
  return term_or(t, behind, before);
}

/* ---- two threads ---- */

#define OTHER_NAMES (UINT64_MAX - 1)

typedef struct {
  Abstracter *x;
  Map *names;
} Renaming;

static void rename_variable(void *user, Term variable) {
  Renaming *r = user;
  Terms *t = r->x->model->terms;
  CircOwner owner;
  bool shared = circ_owner(r->x->ps, variable, &owner) && owner.kind == CIRC_NOBODY;
  if (shared || map_get(r->names, variable)) return;
  map_put(r->names, variable,
          term_var(t, term_bits(t, variable), term_var_name(t, variable)));
}

/* What another thread knows, in names of its own. */
static Term other_threads(Abstracter *x, Term term) {
  Renaming r = {x, circ_substitution(x->q->solver, OTHER_NAMES)};
  Map seen = {0};
  term_variables(x->model->terms, term, &seen, rename_variable, &r);
  map_free(&seen);
  return term_substitute(x->model->terms, term, r.names);
}

bool circ_may_meet(Abstracter *x, const Ready *a, const Ready *b, bool *ret_may) {
  Terms *t = x->model->terms;
  const CircEvent *one = &x->model->kinds.data[a->label.kind].events.data[a->event];
  const CircEvent *two = &x->model->kinds.data[b->label.kind].events.data[b->event];
  *ret_may = true;
  if (!one->address || !two->address) return true;
  Term meet =
      circ_overlap(t, one->address, one->size, other_threads(x, two->address), two->size);
  if (term_is_true(t, meet)) return true;
  TermList given = {0}, nothing = {0};
  Combinations found = {0};
  vec_push(&given, a->known);
  vec_push(&given, other_threads(x, b->known));
  vec_push(&given, meet);
  Map *names = circ_substitution(x->q->solver, OTHER_NAMES);
  vec_push(&given, circ_count_of(x->model, a->label.kind));
  vec_push(&given, other_threads(x, circ_count_of(x->model, b->label.kind)));
  vec_push(&given, circ_count_of_two(x->model, a->label.kind, b->label.kind, names));
  bool known = circ_enumerate(x->q->solver, &given, &nothing, &x->q->limit, &found);
  *ret_may = found.len > 0;
  vec_free(&given);
  return known;
}
