/* Values that are worth a try. See hunt.h.
 *
 * A condition that an input must get past names a number, perhaps behind some arithmetic: of
 * `x * 7 == 700007` both 700007 and 100001 are collected. */
#include "engine/hunt/hunt.h"

#include "base/map.h"

enum { MAX_CONSTANTS = 256 };

/* The number that turns a product with `factor` into `product`, modulo 2^64; *ret_exact: there is one. */
static uint64_t divide(uint64_t product, uint64_t factor, bool *ret_exact) {
  uint32_t shift = factor ? (uint32_t)__builtin_ctzll(factor) : 0;
  *ret_exact = factor && (product & ((UINT64_C(1) << shift) - 1)) == 0;
  uint64_t odd = factor >> shift, inverse = odd;
  for (int i = 0; i < 5; i++) inverse *= 2 - odd * inverse; /* Newton: 3, 6, … 96 bits */
  return (product >> shift) * inverse;
}

/* What the other operand must be for the result to be `value`. */
static bool take_back(const Expr *e, uint64_t constant, bool constant_first,
                      uint64_t value, uint64_t *ret) {
  bool exact = true;
  switch ((ExprKind)e->kind) {
  case EXPR_ADD: *ret = value - constant; break;
  case EXPR_SUB: *ret = constant_first ? constant - value : value + constant; break;
  case EXPR_XOR: *ret = value ^ constant; break;
  case EXPR_MUL: *ret = divide(value, constant, &exact); break;
  case EXPR_UREM:
  case EXPR_SREM: *ret = value + constant; return !constant_first;
  case EXPR_UDIV:
  case EXPR_SDIV: *ret = value * constant; return !constant_first;
  default: return false; /* operations of expressions, most of which cannot be undone */
  }
  return exact;
}

typedef struct {
  const Program *program;
  HuntValues *values;
  Map seen;
} Constants;

static void add_constant(Constants *c, uint64_t value) {
  if (c->values->len >= MAX_CONSTANTS || map_get(&c->seen, value)) return;
  map_put(&c->seen, value, 1);
  vec_push(c->values, value);
}

/* `id` is compared with `value`: what it is computed of, by steps with constants, too. */
static void add_wanted(Constants *c, ExprId id, uint64_t value) {
  enum { MOST_STEPS = 8 };
  const Program *p = c->program;
  add_constant(c, value);
  for (int i = 0; i < MOST_STEPS; i++) {
    const Expr *e = vec_at(&p->exprs, id);
    if (e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT || e->kind == EXPR_TRUNC) {
      id = e->a;
      continue;
    }
    if (!e->a || !e->b || e->kind < EXPR_ADD || e->kind > EXPR_XOR) return;
    const Expr *a = vec_at(&p->exprs, e->a), *b = vec_at(&p->exprs, e->b);
    bool first = a->kind == EXPR_CONST;
    if (first == (b->kind == EXPR_CONST)) return;
    if (!take_back(e, first ? a->value : b->value, first, value, &value)) return;
    add_constant(c, value);
    id = first ? e->b : e->a;
  }
}

void hunt_constants(const Program *p, HuntValues *values) {
  Constants c = {.program = p, .values = values};
  for (ExprId i = 1; i < p->exprs.len && values->len < MAX_CONSTANTS; i++) {
    const Expr *e = &p->exprs.data[i];
    if (e->kind < EXPR_EQ || e->kind > EXPR_SLE) continue;
    const Expr *a = vec_at(&p->exprs, e->a), *b = vec_at(&p->exprs, e->b);
    if (a->kind == EXPR_CONST) add_wanted(&c, e->b, a->value);
    if (b->kind == EXPR_CONST) add_wanted(&c, e->a, b->value);
  }
  map_free(&c.seen);
}
