/* Equality of sums and products: both sides are multiplied out, and their difference says whether
 * they are equal everywhere, or differ everywhere by a constant. This is what bits are worst at: a
 * solver of clauses may need years to see that a (b + 1) = a b + a.
 *
 * Everything here is bounded by small arrays: a polynomial that does not fit is left alone, so that a
 * comparison still takes bounded time. Numbers of at most 64 bits only. */
#include "solve/term_internal.h"

enum { MOST_MONOMIALS = 24, MOST_FACTORS = 4, MOST_STEPS = 64 };

/* coefficient * factors; factors in order, 0 behind the last */
typedef struct {
  uint64_t coefficient;
  Term factor[MOST_FACTORS];
} Monomial;

typedef struct {
  Monomial monomial[MOST_MONOMIALS];
  uint32_t count;
  uint32_t steps; /* that are left, for all recursion together */
  uint64_t mask;
} Polynomial;

/* Adds to the monomial with the same factors, or a new one. False: there is no room. */
static bool add_monomial(Polynomial *p, Monomial m) {
  m.coefficient &= p->mask;
  if (!m.coefficient) return true;
  for (uint32_t i = 0; i < p->count; i++) {
    if (memcmp(p->monomial[i].factor, m.factor, sizeof m.factor) != 0) continue;
    uint64_t sum = (p->monomial[i].coefficient + m.coefficient) & p->mask;
    p->monomial[i].coefficient = sum;
    if (!sum) p->monomial[i] = p->monomial[--p->count];
    return true;
  }
  if (p->count == MOST_MONOMIALS) return false;
  p->monomial[p->count++] = m;
  return true;
}

/* m * t, with the factors kept in order. False: there are too many. */
static bool multiply(Monomial *m, Term t) {
  if (m->factor[MOST_FACTORS - 1]) return false;
  uint32_t i = 0;
  while (m->factor[i] && m->factor[i] <= t) i++;
  memmove(&m->factor[i + 1], &m->factor[i], (MOST_FACTORS - 1 - i) * sizeof(Term));
  m->factor[i] = t;
  return true;
}

/* What a term is as a sum: (x + y), -x - 1 for its complement, x 2^n for a shift. */
typedef enum { SHAPE_ATOM, SHAPE_CONST, SHAPE_SUM, SHAPE_NOT, SHAPE_PRODUCT } Shape;

static Shape shape_of(const Terms *terms, Term t) {
  switch (kind_of(terms, t)) {
  case TERM_CONST: return SHAPE_CONST;
  case TERM_ADD: return SHAPE_SUM;
  case TERM_NOT: return SHAPE_NOT;
  case TERM_MUL: return SHAPE_PRODUCT;
  case TERM_NONE:
  case TERM_VAR:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_EXTRACT:
  case TERM_CONCAT:
  case TERM_SEXT:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_EQ:
  case TERM_ULT:
  case TERM_SLT:
  case TERM_ITE:
  case TERM_KIND_COUNT: break;
  }
  return SHAPE_ATOM;
}

/* (low bits of x : zeros) is x 2^n; the exponent, or 0 if t is no such thing. */
static uint32_t shift_of(const Terms *terms, Term t, Term *ret_x) {
  const TermNode *n = node(terms, t);
  if (n->kind != TERM_CONCAT || !is_zero(terms, n->b)) return 0;
  const TermNode *high = node(terms, n->a);
  if (high->kind != TERM_EXTRACT || high->b != 0) return 0;
  if (bits_of(terms, high->a) != n->bits) return 0;
  *ret_x = high->a;
  return bits_of(terms, n->b);
}

/* p += m * (the product of the `count` terms of `rest`). The recursion is bounded by the steps. */
static bool expand(const Terms *terms, Polynomial *p, Monomial m, const Term *rest,
                   uint32_t count) {
  if (p->steps-- == 0) return p->steps = 0, false;
  if (!count) return add_monomial(p, m);
  Term others[2 * MOST_FACTORS];
  if (count + 1 > 2 * MOST_FACTORS) return false;
  memcpy(others, rest, count * sizeof *others);
  Term t = others[--count], shifted = 0;
  const TermNode *n = node(terms, t);
  uint32_t shift = shift_of(terms, t, &shifted);
  if (shift) {
    m.coefficient <<= shift;
    others[count] = shifted;
    return expand(terms, p, m, others, count + 1);
  }
  switch (shape_of(terms, t)) {
  case SHAPE_ATOM: return multiply(&m, t) && expand(terms, p, m, others, count);
  case SHAPE_CONST:
    m.coefficient *= n->words[0];
    return expand(terms, p, m, others, count);
  case SHAPE_PRODUCT:
    others[count] = n->a;
    others[count + 1] = n->b;
    return expand(terms, p, m, others, count + 2);
  case SHAPE_SUM:
    others[count] = n->a;
    if (!expand(terms, p, m, others, count + 1)) return false;
    others[count] = n->b;
    return expand(terms, p, m, others, count + 1);
  case SHAPE_NOT:
    m.coefficient = -m.coefficient;
    if (!expand(terms, p, m, others, count)) return false;
    others[count] = n->a;
    return expand(terms, p, m, others, count + 1);
  }
  return false;
}

static bool has_product(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  if (n->kind == TERM_MUL) return !is_const(terms, n->b);
  if (n->kind != TERM_ADD) return false;
  return kind_of(terms, n->a) == TERM_MUL || kind_of(terms, n->b) == TERM_MUL ||
         kind_of(terms, n->a) == TERM_ADD || kind_of(terms, n->b) == TERM_ADD;
}

Term term_eq_polynomials(Terms *terms, Term a, Term b) {
  uint32_t bits = bits_of(terms, a);
  if (bits > 64 || (!has_product(terms, a) && !has_product(terms, b))) return 0;
  Polynomial p = {.steps = MOST_STEPS, .mask = wide_top_mask(bits)};
  Monomial one = {.coefficient = 1}, minus = {.coefficient = (uint64_t)-1};
  if (!expand(terms, &p, one, &a, 1) || !expand(terms, &p, minus, &b, 1)) return 0;
  if (p.count == 0) return term_bool(terms, true);
  if (p.count == 1 && !p.monomial[0].factor[0]) return term_bool(terms, false);
  return 0;
}
