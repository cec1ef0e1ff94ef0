/* Symbols, sets, and the values of expressions. See flow.h.
 *
 * A symbol is a value that is fixed while it is mentioned: the edge that defined it has not
 * run again since (work_purge sees to that). So two uses of one symbol are equal, which is all
 * that is ever concluded from it. */
#include "analysis/flow_internal.h"

#include <assert.h>

/* ---- sets of small numbers ---- */

typedef struct {
  uint32_t first, count;
} SetRange;

struct SetTable {
  VEC(SetRange) sets;
  VEC(uint32_t) elements;
  StrMap ids;
};

struct SetTable *sets_new(void) {
  struct SetTable *t = mem_alloc_zero(sizeof *t);
  (void)vec_extend(&t->sets, 2); /* the empty set and the set of everything */
  strmap_put(&t->ids, "", 0);
  return t;
}

void sets_free(struct SetTable *t) {
  if (!t) return;
  vec_free(&t->sets);
  vec_free(&t->elements);
  strmap_free(&t->ids);
  mem_free(t);
}

uint32_t set_count(const struct SetTable *t) {
  return t->sets.len;
}

uint32_t set_size(const struct SetTable *t, uint32_t s) {
  assert(s < t->sets.len);
  return t->sets.data[s].count;
}

uint32_t set_element(const struct SetTable *t, uint32_t s, uint32_t i) {
  return t->elements.data[t->sets.data[s].first + i];
}

bool set_has(const struct SetTable *t, uint32_t s, uint32_t element) {
  if (s == SET_ALL) return true;
  for (uint32_t i = 0; i < set_size(t, s); i++)
    if (set_element(t, s, i) == element) return true;
  return false;
}

static bool is_ascending(const uint32_t *list, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (list[i - 1] >= list[i]) return false;
  return true;
}

static uint32_t set_of(struct SetTable *t, const uint32_t *sorted, uint32_t n) {
  if (!n) return 0;
  assert(is_ascending(sorted, n));
  uint64_t *slot = strmap_at(&t->ids, (const char *)sorted, n * sizeof *sorted);
  if (!*slot) {
    SetRange range = {t->elements.len, n};
    memcpy(vec_extend(&t->elements, n), sorted, n * sizeof *sorted);
    vec_push(&t->sets, range);
    *slot = t->sets.len - 1;
  }
  return (uint32_t)*slot;
}

uint32_t set_union(struct SetTable *t, uint32_t x, uint32_t y) {
  if (x == y || !y) return x;
  if (!x) return y;
  if (x == SET_ALL || y == SET_ALL) return SET_ALL;
  VEC(uint32_t) all = {0};
  uint32_t i = 0, k = 0, n = set_size(t, x), m = set_size(t, y);
  while (i < n || k < m) {
    uint32_t e = i < n ? set_element(t, x, i) : UINT32_MAX;
    uint32_t f = k < m ? set_element(t, y, k) : UINT32_MAX;
    vec_push(&all, e < f ? e : f);
    i += e <= f;
    k += f <= e;
  }
  assert(all.len >= n && all.len >= m && all.len <= n + m);
  uint32_t s = set_of(t, all.data, all.len);
  vec_free(&all);
  return s;
}

uint32_t set_meet(struct SetTable *t, uint32_t x, uint32_t y) {
  if (x == y || y == SET_ALL) return x;
  if (x == SET_ALL) return y;
  VEC(uint32_t) both = {0};
  for (uint32_t i = 0; i < set_size(t, x); i++)
    if (set_has(t, y, set_element(t, x, i))) vec_push(&both, set_element(t, x, i));
  assert(both.len <= set_size(t, x) && both.len <= set_size(t, y));
  uint32_t s = set_of(t, both.data, both.len);
  vec_free(&both);
  return s;
}

uint32_t set_add(struct SetTable *t, uint32_t s, uint32_t element) {
  return set_union(t, s, set_of(t, &element, 1));
}

uint32_t set_remove(struct SetTable *t, uint32_t s, uint32_t element) {
  if (s == SET_ALL || !set_has(t, s, element)) return s;
  VEC(uint32_t) rest = {0};
  for (uint32_t i = 0; i < set_size(t, s); i++)
    if (set_element(t, s, i) != element) vec_push(&rest, set_element(t, s, i));
  assert(rest.len + 1 == set_size(t, s));
  uint32_t r = set_of(t, rest.data, rest.len);
  vec_free(&rest);
  return r;
}

/* ---- symbols and values ---- */

uint32_t symbol_id(Analyzer *a, Symbol symbol) {
  uint64_t *slot = strmap_at(&a->symbol_ids, (const char *)&symbol, sizeof symbol);
  if (!*slot) {
    *slot = a->symbols.len;
    vec_push(&a->symbols, symbol);
    assert(a->symbols.len <=
           ID_FACT); /* bindings tell symbols and locals by these bits */
  }
  return (uint32_t)*slot;
}

FlowValue value_unknown(void) {
  return (FlowValue){0};
}

FlowValue value_number(int64_t n) {
  return (FlowValue){.offset = n, .known = 1};
}

FlowValue value_symbol(Analyzer *a, Symbol symbol) {
  return (FlowValue){.base = FLOW_SYMBOL(symbol_id(a, symbol)), .known = 1};
}

bool value_equal(const FlowValue *x, const FlowValue *y) {
  return memcmp(x, y, sizeof *x) == 0;
}

bool value_is_number(const FlowValue *v, int64_t *ret) {
  if (!v->known || v->base || v->index) return false;
  *ret = v->offset;
  return true;
}

static bool symbol_is(Analyzer *a, uint32_t id, SymbolKind kind, uint32_t x) {
  const Symbol *s = vec_at(&a->symbols, id);
  if (s->kind == kind && (s->a == x || kind == SYMBOL_CELL)) /* cells go all together */
    return true;
  /* a loaded value stays what it is when its address is forgotten, but then the address
   * must not be believed any more: forget both */
  return s->kind == SYMBOL_LOAD && value_mentions(a, &s->address, kind, x);
}

bool value_mentions(Analyzer *a, const FlowValue *v, SymbolKind kind, uint32_t x) {
  return (flow_is_symbol(v->base) && symbol_is(a, flow_base_id(v->base), kind, x)) ||
         (v->index && symbol_is(a, v->index, kind, x));
}

FlowValue value_add(FlowValue x, FlowValue y) {
  if (!x.known || !y.known || (x.base && y.base) || (x.index && y.index))
    return value_unknown();
  FlowValue sum = {.base = x.base ? x.base : y.base,
                   .index = x.index ? x.index : y.index,
                   .stride = x.index ? x.stride : y.stride,
                   .known = 1};
  sum.offset = (int64_t)((uint64_t)x.offset + (uint64_t)y.offset);
  if (!x.base != !y.base && !sum.index && sum.offset == (x.base ? x.offset : y.offset))
    sum.nonzero = x.base ? x.nonzero : y.nonzero;
  return sum;
}

static FlowValue value_times(FlowValue x, int64_t n) {
  if (!x.known || (x.base && x.index) || (x.base && !flow_is_symbol(x.base)))
    return value_unknown();
  FlowValue product = {.known = 1};
  product.offset = (int64_t)((uint64_t)x.offset * (uint64_t)n);
  if (x.index) {
    product.index = x.index;
    if (__builtin_mul_overflow(x.stride, n, &product.stride)) return value_unknown();
  } else if (x.base) {
    product.index = flow_base_id(x.base);
    product.stride = n;
  }
  return n ? product : value_number(0);
}

static int64_t as_signed(uint64_t value, uint32_t bits) {
  if (bits == 1) return (int64_t)(value & 1);
  if (bits >= 64) return (int64_t)value;
  assert(bits > 0);
  uint64_t sign = UINT64_C(1) << (bits - 1), mask = (sign << 1) - 1;
  return (int64_t)(((value & mask) ^ sign) - sign);
}

static uint64_t as_unsigned(int64_t value, uint32_t bits) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

static FlowValue truth(bool b) {
  return value_number(b);
}

/* Surely not null: an object's address, or a symbol that was tested. */
static bool value_nonzero(const FlowValue *v) {
  int64_t n;
  if (value_is_number(v, &n)) return n != 0;
  return v->known && ((v->base && !flow_is_symbol(v->base)) ||
                      (v->nonzero && !v->index && v->offset == 0));
}

/* A variable of a frame is another one in another frame of the same function, and the name is
 * the same: equal names of such need not be equal addresses. */
static bool names_one(const Analyzer *a, const FlowValue *v) {
  return !v->base || flow_is_symbol(v->base) ||
         a->p->objects.data[flow_base_id(v->base)].kind != OBJECT_STACK ||
         object_is_unique((Analyzer *)a, flow_base_id(v->base));
}

static FlowValue compare(const Analyzer *a, const Expr *e, FlowValue x, FlowValue y,
                         uint32_t bits) {
  int64_t m, n;
  if (value_is_number(&x, &m) && value_is_number(&y, &n)) {
    uint64_t um = as_unsigned(m, bits), un = as_unsigned(n, bits);
    switch ((ExprKind)e->kind) {
    case EXPR_EQ: return truth(um == un);
    case EXPR_NE: return truth(um != un);
    case EXPR_ULT: return truth(um < un);
    case EXPR_ULE: return truth(um <= un);
    case EXPR_SLT: return truth(m < n);
    default: return truth(m <= n);
    }
  }
  bool equality = e->kind == EXPR_EQ || e->kind == EXPR_NE;
  if (!equality || !x.known || !y.known) return value_unknown();
  x.nonzero = y.nonzero = 0;
  if (value_equal(&x, &y) && names_one(a, &x)) return truth(e->kind == EXPR_EQ);
  return value_unknown();
}

static FlowValue binary(const Expr *e, FlowValue x, FlowValue y, uint32_t bits) {
  int64_t m, n;
  bool numbers = value_is_number(&x, &m) && value_is_number(&y, &n);
  switch ((ExprKind)e->kind) {
  case EXPR_ADD:
  case EXPR_PTRADD: {
    FlowValue sum = value_add(x, y);
    if (value_is_number(&sum, &m)) return value_number(as_signed((uint64_t)m, bits));
    /* as an integer, what is not known may lead to another object */
    bool strays =
        e->kind == EXPR_ADD && sum.base && !flow_is_symbol(sum.base) && sum.index;
    return strays ? value_unknown() : sum;
  }
  case EXPR_SUB:
    if (value_is_number(&y, &n)) return value_add(x, value_number(-n));
    return value_unknown();
  case EXPR_MUL:
    if (value_is_number(&y, &n)) {
      FlowValue v = value_times(x, n);
      return value_is_number(&v, &m) ? value_number(as_signed((uint64_t)m, bits)) : v;
    }
    return value_unknown();
  case EXPR_SHL:
    if (value_is_number(&y, &n) && n >= 0 && n < 62 && (uint64_t)n < bits) {
      FlowValue v = value_times(x, INT64_C(1) << n);
      return value_is_number(&v, &m) ? value_number(as_signed((uint64_t)m, bits)) : v;
    }
    return value_unknown();
  case EXPR_AND:
    return numbers ? value_number(as_signed((uint64_t)m & (uint64_t)n, bits))
                   : value_unknown();
  case EXPR_OR:
    return numbers ? value_number(as_signed((uint64_t)m | (uint64_t)n, bits))
                   : value_unknown();
  case EXPR_XOR:
    return numbers ? value_number(as_signed((uint64_t)m ^ (uint64_t)n, bits))
                   : value_unknown();
  default: return value_unknown();
  }
}

/* Multiples of an index of so many bits are different for different numbers only as long as they do
 * not wrap. Up to this one that takes 2^20 threads or locks. */
static bool multiples_may_wrap(const FlowValue *v, uint32_t bits) {
  enum { LARGEST = 4096 };
  return v->index && bits < 64 && (v->stride > LARGEST || v->stride < -LARGEST);
}

/* An expression of n bits equals its value modulo 2^n. So a value passes through a truncation
 * as it is, but which number it is when widened depends on its sign, and a truncated one is
 * another. Only within an address a widened number stays the number: if it were another, the
 * address would lie outside of every array. */
static FlowValue value_of_index(Analyzer *a, const Work *w, ExprId id) {
  const Expr *e = program_expr(a->p, id);
  bool widens = e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT;
  if (widens && program_expr(a->p, e->a)->bits >= 32) {
    FlowValue v = value_of_expr(a, w, id);
    if (v.known) return v;
    v = value_of_index(a, w, e->a);
    return multiples_may_wrap(&v, program_expr(a->p, e->a)->bits) ? value_unknown() : v;
  }
  if (e->kind == EXPR_MUL || e->kind == EXPR_SHL) {
    FlowValue x = value_of_expr(a, w, e->a), y = value_of_expr(a, w, e->b);
    int64_t n;
    if (value_is_number(&y, &n) && n >= 0 && (e->kind == EXPR_MUL || n < 62))
      return value_times(value_of_index(a, w, e->a),
                         e->kind == EXPR_MUL ? n : INT64_C(1) << n);
    if (e->kind == EXPR_MUL && value_is_number(&x, &n) && n >= 0)
      return value_times(value_of_index(a, w, e->b), n);
  }
  if (e->kind == EXPR_ADD)
    return value_add(value_of_index(a, w, e->a), value_of_index(a, w, e->b));
  return value_of_expr(a, w, id);
}

static FlowValue value_widened(Analyzer *a, const Work *w, const Expr *e) {
  uint32_t bits = program_expr(a->p, e->a)->bits;
  FlowValue v = value_of_expr(a, w, e->a);
  int64_t n;
  if (value_is_number(&v, &n))
    return e->kind == EXPR_ZEXT ? value_number((int64_t)as_unsigned(n, bits)) : v;
  return bits == 1 && e->kind == EXPR_ZEXT ? v : value_unknown();
}

FlowValue value_of_expr(Analyzer *a, const Work *w, ExprId id) {
  const Expr *e = program_expr(a->p, id);
  switch ((ExprKind)e->kind) {
  case EXPR_CONST:
    return e->bits <= 64 && e->sort != SORT_FLOAT && e->sort != SORT_BFLOAT
               ? value_number(as_signed(e->value, e->bits))
               : value_unknown();
  case EXPR_LOCAL: {
    const FlowValue *v = work_find(w, (LocalId)e->data);
    return v ? *v : value_unknown();
  }
  case EXPR_OBJECT: return (FlowValue){.base = FLOW_OBJECT(e->data), .known = 1};
  case EXPR_ZEXT:
  case EXPR_SEXT: return value_widened(a, w, e);
  case EXPR_BITCAST:
    return e->sort == SORT_PTR ? value_of_index(a, w, e->a) : value_of_expr(a, w, e->a);
  case EXPR_TRUNC: {
    FlowValue v = value_of_expr(a, w, e->a);
    int64_t n;
    if (value_is_number(&v, &n)) return value_number(as_signed((uint64_t)n, e->bits));
    return e->bits >= 32 ? v : value_unknown();
  }
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE: {
    FlowValue x = value_of_expr(a, w, e->a), y = value_of_expr(a, w, e->b);
    int64_t zero;
    if ((e->kind == EXPR_EQ || e->kind == EXPR_NE) && value_is_number(&y, &zero) &&
        zero == 0 && value_nonzero(&x))
      return truth(e->kind == EXPR_NE);
    return compare(a, e, x, y, program_expr(a->p, e->a)->bits);
  }
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_SHL:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
    return binary(e, value_of_expr(a, w, e->a), value_of_expr(a, w, e->b), e->bits);
  case EXPR_PTRADD:
    return binary(e, value_of_expr(a, w, e->a), value_of_index(a, w, e->b), e->bits);
  case EXPR_ITE: {
    FlowValue c = value_of_expr(a, w, e->a);
    int64_t n;
    if (value_is_number(&c, &n)) return value_of_expr(a, w, n ? e->b : e->c);
    FlowValue x = value_of_expr(a, w, e->b), y = value_of_expr(a, w, e->c);
    return value_equal(&x, &y) ? x : value_unknown();
  }
  default: return value_unknown();
  }
}

/* ---- cells ---- */

bool work_is_shared_time(const Work *w) {
  return w->in_thread || w->alive;
}

static bool cell_is_written(Analyzer *a, uint32_t object, uint32_t folded) {
  return a->all_written_used ||
         map_find(&a->written_used, (uint64_t)object << 32 | folded, 0) ||
         map_find(&a->written_used, (uint64_t)object << 32 | OFFSET_ANY, 0);
}

FlowValue value_of_cell(Analyzer *a, const Work *w, const FlowValue *address,
                        uint32_t size) {
  if (!work_is_shared_time(w) || !address->known || !address->base || address->index ||
      flow_is_symbol(address->base) || address->offset < 0 ||
      !object_is_unique(a, flow_base_id(address->base)))
    return value_unknown();
  uint32_t object = flow_base_id(address->base);
  if (a->p->objects.data[object].flags & OBJECT_EXTERNAL ||
      cell_is_written(a, object,
                      pointsto_fold_offset(a->pt, object, (uint64_t)address->offset)))
    return value_unknown();
  FlowValue v = value_symbol(a, (Symbol){.kind = SYMBOL_CELL,
                                         .a = object,
                                         .b = (uint32_t)address->offset,
                                         .size = size});
  const FlowValue *fact = work_find(w, FACT | flow_base_id(v.base));
  int64_t n;
  if (fact && value_is_number(fact, &n)) return *fact;
  if (fact && fact->base == v.base) v.nonzero = fact->nonzero;
  return v;
}

/* What is learned of all bits of a cell holds for later loads too. */
static void learn_fact(Analyzer *a, Work *w, const FlowValue *old, FlowValue now,
                       uint32_t bits) {
  if (!old->known || !flow_is_symbol(old->base) || old->index || old->offset) return;
  const Symbol *s = vec_at(&a->symbols, flow_base_id(old->base));
  if (s->kind == SYMBOL_CELL && s->size * 8 == bits)
    work_bind(w, FACT | flow_base_id(old->base), now);
}

/* ---- conditions ---- */

static uint32_t bits_of(const Analyzer *a, LocalId local) {
  return local & (FACT | ID_FACT) ? 0 : a->p->locals.data[local].bits;
}

/* Every local with the same symbol as `local` gets the number, if it has no more bits: of
 * those nothing is known. */
static void learn_number(Analyzer *a, Work *w, LocalId local, int64_t n) {
  const FlowValue *v = work_find(w, local);
  FlowValue old = v ? *v : value_unknown();
  uint32_t bits = bits_of(a, local);
  learn_fact(a, w, &old, value_number(n), bits);
  if (old.known && flow_is_symbol(old.base) && !old.index)
    for (uint32_t i = 0; i < w->bindings.len; i++) {
      FlowValue *b = &w->bindings.data[i].value;
      uint32_t other = bits_of(a, w->bindings.data[i].local);
      if (b->base == old.base && !b->index && b->offset == old.offset && other &&
          other <= bits)
        *b = value_number(as_signed((uint64_t)n, other));
    }
  work_bind(w, local, value_number(n));
}

static void learn_nonzero(Analyzer *a, Work *w, LocalId local) {
  const FlowValue *v = work_find(w, local);
  if (!v || !v->known || !flow_is_symbol(v->base) || v->index || v->offset) return;
  uint32_t base = v->base;
  FlowValue old = *v, now = *v;
  now.nonzero = 1;
  uint32_t bits = bits_of(a, local);
  learn_fact(a, w, &old, now, bits);
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    FlowValue *b = &w->bindings.data[i].value;
    if (b->base == base && !b->index && !b->offset &&
        bits_of(a, w->bindings.data[i].local) >= bits)
      b->nonzero = 1;
  }
}

/* The local behind extensions of it, or 0; `n`, which the expression is compared with, becomes
 * the local's own number. */
static LocalId plain_local(Analyzer *a, ExprId id, int64_t *n) {
  const Expr *e = program_expr(a->p, id);
  while (e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT || e->kind == EXPR_BITCAST ||
         (e->kind == EXPR_TRUNC && e->bits == 1)) { /* a bool is 0 or 1 in memory */
    uint32_t bits = program_expr(a->p, e->a)->bits;
    int64_t inner = as_signed((uint64_t)*n, bits);
    bool fits =
        e->kind == EXPR_ZEXT ? as_unsigned(inner, bits) == (uint64_t)*n : inner == *n;
    if ((e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT) && !fits)
      return 0; /* no value of the local is widened to it */
    if (e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT) *n = inner;
    e = program_expr(a->p, e->a);
  }
  return e->kind == EXPR_LOCAL ? (LocalId)e->data : 0;
}

static bool assume_single(Analyzer *a, Work *w, ExprId condition) {
  FlowValue v = value_of_expr(a, w, condition);
  int64_t n;
  if (value_is_number(&v, &n)) return n != 0;
  const Expr *e = program_expr(a->p, condition);
  if (e->kind == EXPR_LOCAL && e->bits == 1) {
    learn_number(a, w, (LocalId)e->data, 1);
  } else if (e->kind == EXPR_XOR && e->bits == 1) {
    FlowValue y = value_of_expr(a, w, e->b);
    int64_t zero = 0;
    LocalId local = plain_local(a, e->a, &zero);
    if (local && value_is_number(&y, &n) && n) learn_number(a, w, local, 0);
  } else if (e->kind == EXPR_EQ || e->kind == EXPR_NE) {
    FlowValue y = value_of_expr(a, w, e->b);
    LocalId local = value_is_number(&y, &n) ? plain_local(a, e->a, &n) : 0;
    if (local) {
      if (e->kind == EXPR_EQ)
        learn_number(a, w, local, n);
      else if (n == 0)
        learn_nonzero(a, w, local);
    }
  }
  return true;
}

static bool is_conjunction(const Analyzer *a, ExprId id) {
  const Expr *e = program_expr(a->p, id);
  return e->kind == EXPR_AND && e->bits == 1;
}

/* The parts of a conjunction one by one, from left to right: the default case of a switch has
 * one for each other case, and whoever looks at each prefix looks at all of them squared. */
bool assume_condition(Analyzer *a, Work *w, ExprId condition) {
  if (!is_conjunction(a, condition)) return assume_single(a, w, condition);
  VEC(ExprId) parts = {0};
  bool possible = true;
  vec_push(&parts, condition);
  while (parts.len && possible) {
    ExprId part = vec_pop(&parts);
    if (is_conjunction(a, part)) {
      vec_push(&parts, program_expr(a->p, part)->b);
      vec_push(&parts, program_expr(a->p, part)->a);
    } else {
      possible = assume_single(a, w, part);
    }
  }
  vec_free(&parts);
  return possible;
}
