/* Values: base + index × stride + offset.
 *
 * An expression is evaluated as far as it is a number, or a base plus constants, or a base plus
 * a symbol times a constant. An expression of n bits equals its value modulo 2^n, so a value
 * passes through a truncation as it is, but not through a widening: which number a widened
 * symbol is depends on its sign. Addresses are the exception, see eval_index. */
#include "proof/proof_internal.h"

#include <assert.h>

enum {
  MAX_WEIGHT = 2000
}; /* larger expressions have any value: recursion stays shallow */

Val val_unknown(void) {
  return (Val){0};
}
Val val_number(int64_t n) {
  return (Val){.offset = n, .known = 1};
}
Val val_symbol(uint32_t symbol) {
  assert(symbol <= UINT32_MAX >> 1);
  return (Val){.base = symbol << 1 | 1, .known = 1};
}
Val val_object(ObjectId object) {
  assert(object <= UINT32_MAX >> 1);
  return (Val){.base = object << 1, .known = 1};
}

bool val_is_number(const Val *v, int64_t *ret) {
  if (!v->known || v->base || v->index) return false;
  *ret = v->offset;
  return true;
}

bool val_is_symbol(const Val *v, uint32_t *ret) {
  if (!v->known || !(v->base & 1) || v->index || v->offset) return false;
  *ret = v->base >> 1;
  return true;
}

bool val_equal(const Val *x, const Val *y) {
  return x->known && y->known && x->base == y->base && x->index == y->index &&
         (!x->index || x->stride == y->stride) && x->offset == y->offset;
}

bool val_mentions(const Val *v, uint32_t symbol) {
  return v->known && (v->base == (symbol << 1 | 1) || v->index == symbol);
}

/* A symbol alone may stand as the base (times 1) or as the index. */
static bool as_index(Val *v) {
  if (v->index || !(v->base & 1)) return false;
  v->index = v->base >> 1;
  v->base = 0;
  v->stride = 1;
  return true;
}

/* A number that is one symbol times 1 is written with the symbol as the base. */
static Val tidy(Val v) {
  if (v.index && !v.stride) v.index = 0;
  if (v.index && !v.base && v.stride == 1) {
    v.base = v.index << 1 | 1;
    v.index = 0;
  }
  if (!v.index) v.stride = 0;
  return v;
}

Val val_add(Val x, Val y) {
  if (!x.known || !y.known) return val_unknown();
  if (x.base && y.base && !((y.base & 1) ? as_index(&y) : as_index(&x)))
    return val_unknown();
  if (x.base && y.base) return val_unknown();
  Val sum = {.known = 1, .base = x.base | y.base};
  if (x.index && y.index && x.index != y.index) return val_unknown();
  sum.index = x.index ? x.index : y.index;
  if (__builtin_add_overflow(x.offset, y.offset, &sum.offset) ||
      __builtin_add_overflow(x.index ? x.stride : 0, y.index ? y.stride : 0, &sum.stride))
    return val_unknown();
  return tidy(sum);
}

Val val_times(Val x, int64_t n) {
  if (!x.known || (x.base && !as_index(&x))) return val_unknown();
  if (__builtin_mul_overflow(x.offset, n, &x.offset) ||
      (x.index && __builtin_mul_overflow(x.stride, n, &x.stride)))
    return val_unknown();
  x.nonzero = 0;
  return tidy(x);
}

static int64_t signed_of(uint64_t value, uint32_t bits) {
  assert(bits > 0);
  if (bits >= 64) return (int64_t)value;
  if (bits == 1) return (int64_t)(value & 1);
  uint64_t sign = UINT64_C(1) << (bits - 1);
  value &= (UINT64_C(1) << bits) - 1;
  return (int64_t)((value ^ sign) - sign);
}

static uint64_t unsigned_of(int64_t value, uint32_t bits) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

/* Of a recursive function's variables there are several at a time, under one name. */
/* An array of variable length that an activation of its function makes at most once. */
static bool is_made_once(Proof *p, ObjectId object) {
  const Function *f = &p->p->functions.data[p->p->objects.data[object].owner];
  uint32_t made = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->op != OP_ALLOCA || e->aux != object) continue;
    made += edge_on_cycle(p, f->first_edge + i) ? 2 : 1;
  }
  return made == 1;
}

bool names_one(Proof *p, const Val *v) {
  if (!v->base || (v->base & 1)) return true;
  ObjectId object = v->base >> 1;
  const Object *o = &p->p->objects.data[object];
  return o->kind != OBJECT_STACK ||
         (!function_is_recursive(p, o->owner) &&
          (!(o->flags & OBJECT_DYNAMIC) || is_made_once(p, object)));
}

/* ---- comparisons ---- */

typedef enum { NO, YES, PERHAPS } Truth;

static Truth truth_of(bool b) {
  return b ? YES : NO;
}

static Truth numbers_compare(const Expr *x, int64_t a, int64_t b, uint32_t bits) {
  uint64_t ua = unsigned_of(a, bits), ub = unsigned_of(b, bits);
  switch ((ExprKind)x->kind) {
  case EXPR_EQ: return truth_of(ua == ub);
  case EXPR_NE: return truth_of(ua != ub);
  case EXPR_ULT: return truth_of(ua < ub);
  case EXPR_ULE: return truth_of(ua <= ub);
  case EXPR_SLT: return truth_of(signed_of(ua, bits) < signed_of(ub, bits));
  case EXPR_SLE: return truth_of(signed_of(ua, bits) <= signed_of(ub, bits));
  default: return PERHAPS;
  }
}

static Truth compare(Proof *p, World *w, const Expr *x) {
  Val a = eval(p, w, x->a), b = eval(p, w, x->b);
  uint32_t bits = program_expr(p->p, x->a)->bits;
  int64_t m, n;
  bool number_a = val_is_number(&a, &m), number_b = val_is_number(&b, &n);
  if (number_a && number_b) return numbers_compare(x, m, n, bits);
  if (x->kind != EXPR_EQ && x->kind != EXPR_NE) return PERHAPS;
  Truth equal = PERHAPS;
  if ((number_b && n == 0 && world_is_nonzero(w, &a, bits)) ||
      (number_a && m == 0 && world_is_nonzero(w, &b, bits)))
    equal = NO;
  if (val_equal(&a, &b) && names_one(p, &a)) equal = YES;
  if (equal == PERHAPS) return PERHAPS;
  return truth_of((equal == YES) == (x->kind == EXPR_EQ));
}

/* ---- expressions ---- */

static Val fold(const Expr *x, int64_t a, int64_t b) {
  uint32_t bits = x->bits;
  uint64_t ua = unsigned_of(a, bits), ub = unsigned_of(b, bits), r;
  if (bits > 64) return val_unknown();
  switch ((ExprKind)x->kind) {
  case EXPR_AND: r = ua & ub; break;
  case EXPR_OR: r = ua | ub; break;
  case EXPR_XOR: r = ua ^ ub; break;
  case EXPR_LSHR:
    if (ub >= bits) return val_unknown();
    r = ua >> ub;
    break;
  case EXPR_UDIV:
    if (!ub) return val_unknown();
    r = ua / ub;
    break;
  case EXPR_UREM:
    if (!ub) return val_unknown();
    r = ua % ub;
    break;
  case EXPR_SDIV:
    if (!b || (b == -1)) return val_unknown();
    r = (uint64_t)(signed_of(ua, bits) / signed_of(ub, bits));
    break;
  case EXPR_SREM:
    if (!b || (b == -1)) return val_unknown();
    r = (uint64_t)(signed_of(ua, bits) % signed_of(ub, bits));
    break;
  default: return val_unknown();
  }
  return val_number(signed_of(r, bits));
}

static Val wrap(Val v, uint32_t bits) {
  int64_t n;
  return val_is_number(&v, &n) ? val_number(signed_of((uint64_t)n, bits)) : v;
}

static Val eval_index(Proof *p, World *w, ExprId e);

/* Integers are not bound to an object: what is added to an address may lead to another one. */
static Val stays(Val v) {
  return v.known && v.base && !(v.base & 1) && v.index ? val_unknown() : v;
}

static Val eval_arithmetic(Proof *p, World *w, const Expr *x) {
  Val a = eval(p, w, x->a);
  Val b = x->kind == EXPR_PTRADD ? eval_index(p, w, x->b) : eval(p, w, x->b);
  int64_t m, n;
  bool number_a = val_is_number(&a, &m), number_b = val_is_number(&b, &n);
  switch ((ExprKind)x->kind) {
  case EXPR_ADD: return stays(wrap(val_add(a, b), x->bits));
  case EXPR_PTRADD: return wrap(val_add(a, b), x->bits);
  case EXPR_SUB:
    if (a.known && val_equal(&a, &b)) return val_number(0);
    if (a.known && b.known && a.base && a.base == b.base && !a.index && !b.index)
      return val_number(a.offset - b.offset);
    return stays(wrap(val_add(a, val_times(b, -1)), x->bits));
  case EXPR_MUL:
    if (number_b) return wrap(val_times(a, n), x->bits);
    return number_a ? wrap(val_times(b, m), x->bits) : val_unknown();
  case EXPR_SHL:
    if (!number_b || n < 0 || n > 62 || (uint64_t)n >= x->bits) return val_unknown();
    return wrap(val_times(a, INT64_C(1) << n), x->bits);
  default: return number_a && number_b ? fold(x, m, n) : val_unknown();
  }
}

/* A multiple that no number of threads or locks makes wrap. */
static bool is_small_multiple(const Val *v, uint32_t bits) {
  enum { SMALL = 1 << 12 };
  return bits >= 64 || !v->index || (v->stride >= -SMALL && v->stride <= SMALL);
}

/* Within an address, a widened number is the number: if it were not, by its sign or because
 * its upper half was cut off, the address would lie outside of every array. Large multiples of numbers,
 * which may lose all that is different in them, are left out. */
static Val eval_index(Proof *p, World *w, ExprId e) {
  const Expr *x = program_expr(p->p, e);
  if (x->weight <= MAX_WEIGHT) {
    if ((x->kind == EXPR_ZEXT || x->kind == EXPR_SEXT) &&
        program_expr(p->p, x->a)->bits >= 32) {
      Val v = eval(p, w, e);
      if (v.known) return v;
      v = eval_index(p, w, x->a);
      return is_small_multiple(&v, program_expr(p->p, x->a)->bits) ? v : val_unknown();
    }
    if (x->kind == EXPR_MUL || x->kind == EXPR_SHL) {
      Val v = eval_index(p, w, x->a), by = eval(p, w, x->b), of = eval(p, w, x->a);
      int64_t n;
      if (x->kind == EXPR_MUL && val_is_number(&of, &n) && n >= 0)
        return val_times(eval_index(p, w, x->b), n);
      if (val_is_number(&by, &n) && n >= 0 && (x->kind == EXPR_MUL || n < 63))
        return val_times(v, x->kind == EXPR_MUL ? n : INT64_C(1) << n);
    }
    if (x->kind == EXPR_ADD)
      return val_add(eval_index(p, w, x->a), eval_index(p, w, x->b));
  }
  return eval(p, w, e);
}

static Val eval_width(Proof *p, World *w, const Expr *x) {
  Val a = eval(p, w, x->a);
  uint32_t from = program_expr(p->p, x->a)->bits;
  int64_t n;
  if (val_is_number(&a, &n)) {
    if (x->kind == EXPR_ZEXT) n = (int64_t)unsigned_of(n, from);
    return x->bits > 64 ? val_unknown() : val_number(signed_of((uint64_t)n, x->bits));
  }
  bool bit = x->kind == EXPR_ZEXT && from == 1;
  return x->kind == EXPR_TRUNC || bit ? a : val_unknown();
}

Val eval(Proof *p, World *w, ExprId e) {
  if (!e) return val_unknown();
  const Expr *x = program_expr(p->p, e);
  if (x->weight > MAX_WEIGHT) return val_unknown();
  switch ((ExprKind)x->kind) {
  case EXPR_CONST:
    return x->bits > 64 ? val_unknown() : val_number(signed_of(x->value, x->bits));
  case EXPR_LOCAL: return world_local(p, w, (LocalId)x->data);
  case EXPR_OBJECT: return val_object((ObjectId)x->data);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_PTRADD: return eval_arithmetic(p, w, x);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC: return eval_width(p, w, x);
  case EXPR_BITCAST: {
    const Expr *from = program_expr(p->p, x->a);
    bool same = from->sort != SORT_FLOAT && from->sort != SORT_BFLOAT &&
                x->sort != SORT_FLOAT && x->sort != SORT_BFLOAT;
    if (x->sort == SORT_PTR && from->sort == SORT_INT) return eval_index(p, w, x->a);
    return same ? eval(p, w, x->a) : val_unknown();
  }
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE: {
    Truth t = compare(p, w, x);
    return t == PERHAPS ? val_unknown() : val_number(t == YES);
  }
  case EXPR_ITE: {
    Val c = eval(p, w, x->a);
    int64_t n;
    if (val_is_number(&c, &n)) return eval(p, w, n ? x->b : x->c);
    Val a = eval(p, w, x->b), b = eval(p, w, x->c);
    return val_equal(&a, &b) ? a : val_unknown();
  }
  default: return val_unknown();
  }
}

/* ---- conditions ---- */

/* What stands behind widenings, if the number it is compared with can come from there. */
static ExprId narrow(const Proof *p, ExprId e, int64_t *n, bool *ret_possible) {
  *ret_possible = true;
  for (const Expr *x = program_expr(p->p, e);
       x->kind == EXPR_ZEXT || x->kind == EXPR_SEXT; x = program_expr(p->p, e)) {
    uint32_t bits = program_expr(p->p, x->a)->bits;
    int64_t inner = signed_of((uint64_t)*n, bits);
    *ret_possible =
        x->kind == EXPR_ZEXT ? unsigned_of(inner, bits) == (uint64_t)*n : inner == *n;
    if (!*ret_possible) return e;
    *n = inner;
    e = x->a;
  }
  return e;
}

static bool is_in_fresh(const World *w, const Val *v) {
  bool fresh = false;
  for (uint32_t i = 0; i < w->fresh.len; i++)
    fresh = fresh || v->base == (w->fresh.data[i] << 1 | 1);
  return fresh;
}

/* x == y: a symbol gets the other's value. A fresh object keeps its own name: under another one
 * it would not be known as fresh. */
static bool assume_equal(Proof *p, World *w, ExprId ea, ExprId eb) {
  Val a, b = eval(p, w, eb);
  int64_t n;
  if (val_is_number(&b, &n)) {
    bool possible;
    ea = narrow(p, ea, &n, &possible);
    if (!possible) return false;
    b = val_number(n);
  }
  a = eval(p, w, ea);
  uint32_t bits = program_expr(p->p, ea)->bits;
  if (!a.known || !b.known) return true;
  if ((is_in_fresh(w, &a) && b.base) || (is_in_fresh(w, &b) && a.base)) return true;
  for (int turn = 0; turn < 2; turn++) {
    if ((a.base & 1) && !a.index && !b.index && a.base != b.base) {
      Val rest = b;
      rest.offset -= a.offset;
      rest.nonzero = 0;
      return world_equate(p, w, a.base >> 1, rest, bits);
    }
    Val swap = a;
    a = b;
    b = swap;
  }
  return true;
}

static bool assume_not_zero(Proof *p, World *w, ExprId e, bool truth);

static bool assume_unequal(Proof *p, World *w, ExprId ea, ExprId eb) {
  Val b = eval(p, w, eb);
  int64_t n;
  bool possible;
  if (val_is_number(&b, &n) && n == 0) ea = narrow(p, ea, &n, &possible);
  Val a = eval(p, w, ea);
  for (int turn = 0; turn < 2; turn++) {
    uint32_t symbol;
    if (val_is_number(&b, &n) && n == 0 && val_is_symbol(&a, &symbol))
      vec_push(&w->nonzero, (NonZero){symbol, program_expr(p->p, ea)->bits});
    Val swap = a;
    a = b;
    b = swap;
  }
  return true;
}

/* e != 0 (or == 0) of something that may itself be a condition, widened. */
static bool assume_not_zero(Proof *p, World *w, ExprId e, bool truth) {
  const Expr *x = program_expr(p->p, e);
  if (x->kind == EXPR_ZEXT || x->kind == EXPR_SEXT)
    return assume_not_zero(p, w, x->a, truth);
  return x->bits != 1 || assume(p, w, e, truth);
}

bool assume(Proof *p, World *w, ExprId condition, bool truth) {
  const Expr *x = program_expr(p->p, condition);
  if (x->weight > MAX_WEIGHT) return true;
  Val known = eval(p, w, condition);
  int64_t n;
  if (val_is_number(&known, &n)) return (n != 0) == truth;
  switch ((ExprKind)x->kind) {
  case EXPR_AND: return !truth || (assume(p, w, x->a, true) && assume(p, w, x->b, true));
  case EXPR_OR: return truth || (assume(p, w, x->a, false) && assume(p, w, x->b, false));
  case EXPR_XOR: {
    Val b = eval(p, w, x->b);
    return !val_is_number(&b, &n) || assume(p, w, x->a, truth != (n != 0));
  }
  case EXPR_EQ:
  case EXPR_NE: {
    bool equal = (x->kind == EXPR_EQ) == truth;
    Val b = eval(p, w, x->b);
    if (val_is_number(&b, &n) && n == 0 && !assume_not_zero(p, w, x->a, !equal))
      return false;
    return equal ? assume_equal(p, w, x->a, x->b) : assume_unequal(p, w, x->a, x->b);
  }
  case EXPR_TRUNC: { /* of a byte: a bool, which is 0 or 1 and has no other values */
    Val v = eval(p, w, x->a);
    uint32_t symbol, bits = program_expr(p->p, x->a)->bits;
    if (bits != 8 || !val_is_symbol(&v, &symbol)) return true;
    return world_equate(p, w, symbol, val_number(truth), bits);
  }
  case EXPR_LOCAL: {
    Val v = world_local(p, w, (LocalId)x->data);
    uint32_t symbol;
    if (val_is_symbol(&v, &symbol)) {
      if (!truth || x->bits == 1)
        return world_equate(p, w, symbol, val_number(truth), x->bits);
      vec_push(&w->nonzero, (NonZero){symbol, x->bits});
    }
    return true;
  }
  default: return true;
  }
}

/* ---- for people ---- */

static const char *symbol_text(Proof *p, uint32_t symbol) {
  static const char *const names[] = {"none", "param",    "edge",  "load",
                                      "phi",  "argument", "lock",  "thread",
                                      "cell", "phi-cell", "phi-id"};
  if (symbol >= p->unknown_other)
    return arena_printf(p->arena, "?%u", symbol - p->unknown_other);
  if (symbol >= p->unknown_local)
    return arena_printf(p->arena, "?%s.%u",
                        sym_text(p->p, p->p->locals.data[symbol - p->unknown_local].name),
                        symbol - p->unknown_local);
  const CertSymbol *s = &p->c->symbols.data[symbol];
  return arena_printf(p->arena, "%s(%u,%u)", names[s->kind <= CERT_PHI_ID ? s->kind : 0],
                      s->a, s->b);
}

const char *val_text(Proof *p, Val v) {
  if (!v.known) return "anything";
  const char *base = "";
  if (v.base & 1)
    base = symbol_text(p, v.base >> 1);
  else if (v.base)
    base = arena_printf(p->arena, "&%s",
                        sym_text(p->p, p->p->objects.data[v.base >> 1].name));
  const char *index = v.index ? arena_printf(p->arena, " + %s * %lld",
                                             symbol_text(p, v.index), (long long)v.stride)
                              : "";
  return arena_printf(p->arena, "%s%s%+lld%s", base, index, (long long)v.offset,
                      v.nonzero ? ", not 0" : "");
}
