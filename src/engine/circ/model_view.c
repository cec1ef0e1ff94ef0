/* What of a variable's value counts shares. See model_count.c.
 *
 * Readers may be all that a word counts, or what it counts while it is not negative (a writer is -1), or what stands in
 * some of its bits (a writer has one for itself). Permits are counted by what is left of them. Which bits are a
 * number of their own, the program tells by the masks that it uses: where they begin and end. */
#include "engine/circ/model_internal.h"

typedef VEC(Term) TermVec;

Term circ_view(Terms *t, const CircView *view, Term value) {
  enum { LEAST = 32 };
  uint32_t bits = term_bits(t, value), wide = bits < LEAST ? LEAST : bits;
  Term zero = term_const(t, bits, 0);
  switch (view->kind) {
  case VIEW_ALL: return term_zext(t, value, wide);
  case VIEW_LEFT: {
    Term start = term_const(t, bits, view->start);
    Term less = term_ite(t, term_ule(t, value, start), term_sub(t, start, value), zero);
    return term_zext(t, less, wide);
  }
  case VIEW_POSITIVE:
    return term_zext(t, term_ite(t, term_slt(t, value, zero), zero, value), wide);
  case VIEW_BITS:
    return term_zext(t, term_extract(t, value, view->low, view->count), wide);
  }
  return 0;
}

int circ_view_way(Terms *t, const CircView *view, Term value) {
  if (term_kind(t, value) != TERM_ADD) return 0;
  uint64_t unit = view->kind == VIEW_BITS ? UINT64_C(1) << view->low : 1;
  Term more = term_const(t, term_bits(t, value), unit), less = term_neg(t, more);
  int way = view->kind == VIEW_LEFT ? -1 : 1;
  for (int i = 0; i < 2; i++) {
    Term by = term_operand(t, value, i);
    if (term_kind(t, term_operand(t, value, 1 - i)) != TERM_VAR) continue;
    if (by == more || by == less) return by == more ? way : -way;
  }
  return 0;
}

/* ---- which come into question ---- */

typedef struct {
  bool negative; /* it may be set to a negative number */
  bool cuts[65]; /* bits at which a mask begins or ends */
} Look;

/* Where runs of equal bits end. */
static void cut_at(Look *l, uint64_t mask, uint32_t bits) {
  for (uint32_t i = 1; i < bits; i++)
    if ((mask >> i & 1) != (mask >> (i - 1) & 1)) l->cuts[i] = true;
}

static void look_at(const Terms *t, Term term, uint32_t bits, Look *l) {
  TermKind kind = term_kind(t, term);
  if (kind == TERM_EXTRACT && term_bits(t, term_operand(t, term, 0)) == bits) {
    l->cuts[term_low(t, term)] = true;
    l->cuts[term_low(t, term) + term_bits(t, term)] = true;
  }
  for (int i = 0; i < 2 && (kind == TERM_AND || kind == TERM_OR); i++) {
    uint64_t mask;
    if (term_bits(t, term) == bits && term_get_const(t, term_operand(t, term, i), &mask))
      cut_at(l, mask, bits);
  }
}

/* The values that blocks give it, and where they are constants. */
static void look_below(const Terms *t, Term root, uint32_t bits, Look *l) {
  enum { MOST = 500 };
  TermVec stack = {0};
  Map seen = {0};
  vec_push(&stack, root);
  while (stack.len && seen.len < MOST) {
    Term term = vec_pop(&stack), operand;
    uint64_t *slot = map_at(&seen, term), value;
    if (*slot) continue;
    *slot = 1;
    look_at(t, term, bits, l);
    if (term_bits(t, term) == bits && term_get_const(t, term, &value))
      l->negative = l->negative || value >> (bits - 1);
    for (int i = 0; (operand = term_operand(t, term, i)); i++) vec_push(&stack, operand);
  }
  vec_free(&stack);
  map_free(&seen);
}

static Look look_for(const CircMaker *x, uint32_t shared) {
  Look l = {0};
  uint32_t bits = term_bits(x->t, x->m->shared.data[shared].now);
  for (uint32_t i = 0; i < x->m->kinds.len; i++) {
    const CircKind *k = &x->m->kinds.data[i];
    for (uint32_t n = 0; n < k->sets.len; n++)
      if (k->sets.data[n].variable == shared)
        look_below(x->t, k->sets.data[n].value, bits, &l);
  }
  return l;
}

uint32_t circ_views_of(CircMaker *x, uint32_t shared, CircView *ret) {
  const CircShared *s = &x->m->shared.data[shared];
  uint32_t bits = term_bits(x->t, s->now), n = 0;
  uint64_t start;
  if (s->ghost || bits > 64 || bits < 8 || !s->start ||
      !term_get_const(x->t, s->start, &start))
    return 0;
  Look l = look_for(x, shared);
  if (bits >= 32) ret[n++] = (CircView){.kind = VIEW_ALL};
  if (start && start < 1 << 29) ret[n++] = (CircView){VIEW_LEFT, start, 0, 0};
  if (l.negative) ret[n++] = (CircView){.kind = VIEW_POSITIVE};
  l.cuts[bits] = true;
  for (uint32_t low = 0, i = 1; i <= bits && n < CIRC_VIEWS; i++) {
    if (!l.cuts[i]) continue;
    if (i - low > 1 && i - low < bits) ret[n++] = (CircView){VIEW_BITS, 0, low, i - low};
    low = i;
  }
  return n;
}
