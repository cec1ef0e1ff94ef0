/* Values of variables on a path, and expressions of the model over them. See context_internal.h.
 *
 * Addresses are numbers like others, which nobody knows (context_address.c). What C leaves open is any value,
 * and so are floats. */
#include "proof/context_internal.h"

#include <assert.h>

/* ---- variables ---- */

Term context_any(Context *x, uint32_t bits) {
  return term_var(x->t, bits ? bits : 1, NULL);
}

static uint32_t bits_of(const Context *x, uint32_t kind, ContextKey key) {
  uint64_t sort = key >> 40;
  uint8_t ghost = key & 0xff;
  if (sort == KEY_LOCAL >> 40) {
    const Automaton *a = &x->automata->kinds.data[x->c.kinds.data[kind].automaton];
    return vec_at(&a->variables, key & UINT32_MAX)->bits;
  }
  if (sort == KEY_OWN >> 40) return ghost == GHOST_OWNER ? 1 : 32;
  if (sort == KEY_GHOST >> 40)
    return ghost == GHOST_OWNER || ghost == GHOST_DONE ? 1 : 32;
  if (sort == KEY_ID >> 40) return 64;
  if (sort == KEY_ELEMENT >> 40) return 32;
  if (sort == KEY_SHARE >> 40) return 2;
  return sort ? 1 : vec_at(&x->c.variables, key)->bits;
}

Term context_now(Context *x, uint32_t kind, ContextKey key) {
  uint64_t sort = key >> 40;
  bool own = sort == KEY_LOCAL >> 40 || sort == KEY_OWN >> 40 || sort == KEY_HALF >> 40 ||
             sort == KEY_SHARE >> 40;
  uint64_t *slot = map_at(own ? &x->own_now[kind] : &x->shared_now, key);
  if (!*slot) *slot = context_any(x, bits_of(x, kind, key));
  return (Term)*slot;
}

Term context_get(Context *x, const ContextPath *path, ContextKey key) {
  uint64_t found = map_find(&path->values, key, 0);
  return found ? (Term)found : context_now(x, x->kind, key);
}

void context_put(Context *x, ContextPath *path, ContextKey key, Term value) {
  map_put(&path->values, key, term_fit(x->t, value, bits_of(x, x->kind, key)));
}

void context_put_local(Context *x, ContextPath *path, uint32_t frame, LocalId local,
                       Term value) {
  if (!local) return;
  uint32_t variable = automaton_variable(x->automata, x->a, frame, local);
  context_put(x, path, KEY_LOCAL | variable, value);
}

void context_assume(Context *x, ContextPath *path, Term condition) {
  path->guard = term_and(x->t, path->guard, condition);
}

void context_path_copy(const ContextPath *from, ContextPath *ret_to) {
  *ret_to = (ContextPath){.guard = from->guard};
  for (uint32_t i = 0; i < from->values.len; i++)
    map_put(&ret_to->values, from->values.entries[i].key, from->values.entries[i].value);
  for (uint32_t i = 0; i < from->starts.len; i++)
    vec_push(&ret_to->starts, from->starts.data[i]);
}

void context_path_free(ContextPath *path) {
  map_free(&path->values);
  vec_free(&path->starts);
  *path = (ContextPath){0};
}

/* ---- expressions ---- */

typedef struct {
  Context *x;
  const ContextPath *path;
  uint32_t frame;
  Map known; /* ExprId → Term: expressions share operands */
} Reading;

static Term value(Reading *r, ExprId id);

static Term wide(Context *x, const Expr *e) {
  uint64_t words[64] = {0};
  uint32_t bytes = bits_to_bytes(e->bits);
  if (bytes > sizeof words || e->data + bytes > x->p->bytes.len)
    return context_any(x, e->bits);
  memcpy(words, &x->p->bytes.data[e->data], bytes);
  return term_wide(x->t, e->bits, words);
}

static Term leaf(Reading *r, const Expr *e) {
  Context *x = r->x;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: return term_const(x->t, e->bits, e->value);
  case EXPR_WIDE: return wide(x, e);
  case EXPR_LOCAL: {
    uint32_t v = automaton_variable(x->automata, x->a, r->frame, (LocalId)e->data);
    return term_fit(x->t, context_get(x, r->path, KEY_LOCAL | v), e->bits);
  }
  case EXPR_OBJECT: return context_address(x, (ObjectId)e->data);
  case EXPR_FUNC: return context_function(x, (FuncId)e->data);
  case EXPR_LABEL: return context_any_address(x);
  default: return context_any(x, e->bits);
  }
}

/* The value, or any if the condition holds. */
static Term unless(Context *x, Term open, Term is) {
  if (term_is_false(x->t, open)) return is;
  return term_ite(x->t, open, context_any(x, term_bits(x->t, is)), is);
}

static Term divided(Context *x, const Expr *e, Term a, Term b) {
  Terms *t = x->t;
  uint32_t bits = term_bits(t, a);
  Term zero = term_const(t, bits, 0), ones = term_not(t, zero);
  Term least = term_shl(t, term_const(t, bits, 1), term_const(t, bits, bits - 1));
  Term by_zero = term_eq(t, b, zero);
  Term over = term_and(t, term_eq(t, a, least), term_eq(t, b, ones));
  switch ((ExprKind)e->kind) {
  case EXPR_UDIV: return unless(x, by_zero, term_udiv(t, a, b));
  case EXPR_UREM: return unless(x, by_zero, term_urem(t, a, b));
  case EXPR_SDIV: return unless(x, term_or(t, by_zero, over), term_sdiv(t, a, b));
  default: return unless(x, term_or(t, by_zero, over), term_srem(t, a, b));
  }
}

static Term shifted(Context *x, const Expr *e, Term a, Term by) {
  Terms *t = x->t;
  uint32_t bits = term_bits(t, a), width = term_bits(t, by);
  uint32_t common = bits > width ? bits : width;
  Term wide = term_fit(t, by, common);
  if (common < 32) wide = term_fit(t, by, 32), common = 32;
  Term over = term_not(t, term_ult(t, wide, term_const(t, common, bits)));
  Term fit = term_fit(t, by, bits);
  if (e->kind == EXPR_SHL) return unless(x, over, term_shl(t, a, fit));
  if (e->kind == EXPR_LSHR) return unless(x, over, term_lshr(t, a, fit));
  return unless(x, over, term_ashr(t, a, fit));
}

static Term replaced(Terms *t, Term whole, Term part, uint32_t low) {
  uint32_t bits = term_bits(t, whole), end = low + term_bits(t, part);
  Term made = part;
  assert(end <= bits);
  if (low) made = term_concat(t, made, term_extract(t, whole, 0, low));
  if (end < bits) made = term_concat(t, term_extract(t, whole, end, bits - end), made);
  return made;
}

static Term compared(Terms *t, const Expr *e, Term a, Term b) {
  switch ((ExprKind)e->kind) {
  case EXPR_EQ: return term_eq(t, a, b);
  case EXPR_NE: return term_not(t, term_eq(t, a, b));
  case EXPR_ULT: return term_ult(t, a, b);
  case EXPR_ULE: return term_not(t, term_ult(t, b, a));
  case EXPR_SLT: return term_slt(t, a, b);
  default: return term_not(t, term_slt(t, b, a));
  }
}

static Term one_operand(Context *x, const Expr *e, Term a) {
  Terms *t = x->t;
  switch ((ExprKind)e->kind) {
  case EXPR_POPCOUNT: return term_popcount(t, a);
  case EXPR_CLZ: return term_clz(t, a);
  case EXPR_CTZ: return term_ctz(t, a);
  case EXPR_BSWAP: return term_bswap(t, a);
  case EXPR_BITREV: return term_bitrev(t, a);
  case EXPR_ZEXT: return term_zext(t, a, e->bits);
  case EXPR_SEXT: return term_sext(t, a, e->bits);
  case EXPR_TRUNC: return term_extract(t, a, 0, e->bits);
  case EXPR_EXTRACT: return term_extract(t, a, e->b, e->bits);
  case EXPR_BITCAST: return a;
  default: return context_any(x, e->bits);
  }
}

static Term operation(Reading *r, const Expr *e) {
  Context *x = r->x;
  Terms *t = x->t;
  int n = expr_operand_count((ExprKind)e->kind);
  Term a = value(r, e->a), b = n > 1 ? value(r, e->b) : 0;
  if (n == 1) return one_operand(x, e, a);
  switch ((ExprKind)e->kind) {
  case EXPR_ADD:
  case EXPR_PTRADD: return term_add(t, a, b);
  case EXPR_SUB: return term_sub(t, a, b);
  case EXPR_MUL: return term_mul(t, a, b);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM: return divided(x, e, a, b);
  case EXPR_AND: return term_and(t, a, b);
  case EXPR_OR: return term_or(t, a, b);
  case EXPR_XOR: return term_xor(t, a, b);
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return shifted(x, e, a, b);
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE: return compared(t, e, a, b);
  case EXPR_INSERT: return replaced(t, a, b, e->c);
  case EXPR_ITE: return term_ite(t, a, b, value(r, e->c));
  default: return context_any(x, e->bits); /* floats */
  }
}

static Term value(Reading *r, ExprId id) {
  const Expr *e = program_expr(r->x->p, id);
  if (expr_operand_count((ExprKind)e->kind) == 0) return leaf(r, e);
  uint64_t found = map_find(&r->known, id, 0);
  if (found) return (Term)found;
  Term made = operation(r, e);
  assert(term_bits(r->x->t, made) == e->bits);
  map_put(&r->known, id, made);
  return made;
}

Term context_value(Context *x, const ContextPath *path, uint32_t frame, ExprId expr) {
  Reading r = {x, path, frame, {0}};
  Term made = value(&r, expr);
  map_free(&r.known);
  return made;
}
