/* Expressions: sharing, folding and the shorthands of build.h.
 *
 * Folding is done for integers of up to 64 bits; the rules are those of model/exec so that a
 * folded model and an unfolded one run alike. Undefined results (division by zero, over-wide
 * shifts) are left unfolded for the interpreter to stop at. */
#include "model/build_internal.h"

static uint64_t mask_of(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t signed_of(uint64_t value, uint32_t bits) {
  if (bits == 0 || bits >= 64) return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((value ^ sign) - sign);
}

static ExprId shared(Builder *b, Expr e) {
  uint64_t *slot = strmap_at(&b->exprs, (const char *)&e, sizeof e);
  if (!*slot) {
    *slot = b->program.exprs.len;
    vec_push(&b->program.exprs, e);
  }
  return (ExprId)*slot;
}

static const Expr *at(const Builder *b, ExprId e) {
  return vec_at(&b->program.exprs, e);
}

uint32_t builder_bits(const Builder *b, ExprId e) {
  return at(b, e)->bits;
}
Sort builder_sort(const Builder *b, ExprId e) {
  return at(b, e)->sort;
}

bool builder_is_const(const Builder *b, ExprId e, uint64_t *ret_value) {
  const Expr *x = at(b, e);
  if (x->kind != EXPR_CONST) return false;
  *ret_value = x->value;
  return true;
}

static ExprId leaf(Builder *b, ExprKind kind, Sort sort, uint32_t bits, uint64_t data) {
  Expr e;
  memset(&e, 0, sizeof e);
  e.kind = kind;
  e.sort = sort;
  e.bits = bits;
  e.weight = 1;
  e.data = data;
  return shared(b, e);
}

ExprId builder_const(Builder *b, Sort sort, uint32_t bits, uint64_t value) {
  if (bits > 64) {
    uint8_t *bytes = mem_alloc_zero(bits_to_bytes(bits));
    memcpy(bytes, &value, 8);
    ExprId e = builder_wide(b, sort, bits, bytes);
    mem_free(bytes);
    return e;
  }
  return leaf(b, EXPR_CONST, sort, bits, value & mask_of(bits));
}

ExprId builder_wide(Builder *b, Sort sort, uint32_t bits, const uint8_t *bytes) {
  size_t n = bits_to_bytes(bits);
  if (bits <= 64) {
    uint64_t value = 0;
    memcpy(&value, bytes, n);
    return builder_const(b, sort, bits, value);
  }
  uint64_t *slot = strmap_at(&b->wides, (const char *)bytes, n);
  if (!*slot) {
    *slot = b->program.bytes.len;
    memcpy(vec_extend(&b->program.bytes, n), bytes, n);
  }
  return leaf(b, EXPR_WIDE, sort, bits, *slot);
}

ExprId builder_undef(Builder *b, Sort sort, uint32_t bits) {
  return leaf(b, EXPR_UNDEF, sort, bits, 0);
}

ExprId builder_local(Builder *b, LocalId local) {
  const Local *l = vec_at(&b->program.locals, local);
  return leaf(b, EXPR_LOCAL, l->sort, l->bits, local);
}

ExprId builder_object(Builder *b, ObjectId object) {
  return leaf(b, EXPR_OBJECT, SORT_PTR, 64, object);
}

ExprId builder_func(Builder *b, FuncId function) {
  return leaf(b, EXPR_FUNC, SORT_PTR, 64, function);
}

ExprId builder_label(Builder *b, uint32_t label) {
  return leaf(b, EXPR_LABEL, SORT_PTR, 64, label);
}

/* Folds a binary operation on constants; false where the result is undefined. */
static bool fold_binary(ExprKind kind, uint32_t bits, uint64_t x, uint64_t y,
                        uint64_t *ret) {
  int64_t sx = signed_of(x, bits), sy = signed_of(y, bits);
  switch (kind) {
  case EXPR_ADD: *ret = x + y; return true;
  case EXPR_SUB: *ret = x - y; return true;
  case EXPR_MUL: *ret = x * y; return true;
  case EXPR_UDIV: return y ? (*ret = x / y, true) : false;
  case EXPR_UREM: return y ? (*ret = x % y, true) : false;
  case EXPR_SDIV: return sy && sy != -1 ? (*ret = (uint64_t)(sx / sy), true) : false;
  case EXPR_SREM: return sy && sy != -1 ? (*ret = (uint64_t)(sx % sy), true) : false;
  case EXPR_AND: *ret = x & y; return true;
  case EXPR_OR: *ret = x | y; return true;
  case EXPR_XOR: *ret = x ^ y; return true;
  case EXPR_SHL: return y < bits ? (*ret = x << y, true) : false;
  case EXPR_LSHR: return y < bits ? (*ret = x >> y, true) : false;
  case EXPR_ASHR: return y < bits ? (*ret = (uint64_t)(sx >> y), true) : false;
  case EXPR_EQ: *ret = x == y; return true;
  case EXPR_NE: *ret = x != y; return true;
  case EXPR_ULT: *ret = x < y; return true;
  case EXPR_ULE: *ret = x <= y; return true;
  case EXPR_SLT: *ret = sx < sy; return true;
  case EXPR_SLE: *ret = sx <= sy; return true;
  default: return false;
  }
}

static bool fold_unary(const Expr *a, ExprKind kind, uint32_t bits, uint64_t *ret) {
  switch (kind) {
  case EXPR_ZEXT:
  case EXPR_TRUNC:
  case EXPR_BITCAST: *ret = a->value; return bits <= 64;
  case EXPR_SEXT: *ret = (uint64_t)signed_of(a->value, a->bits); return bits <= 64;
  default: return false;
  }
}

/* Simplifications that need no constants on both sides; 0 when none applies. */
static ExprId simplify(Builder *b, ExprKind kind, Sort sort, uint32_t bits, ExprId a,
                       ExprId y, ExprId z) {
  const Expr *ea = at(b, a), *eb = y ? at(b, y) : NULL;
  bool zero = eb && eb->kind == EXPR_CONST && eb->value == 0;
  switch (kind) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_PTRADD:
    if (zero) return a;
    /* (p + 8) + 16 is p + 24: nested fields become one offset */
    if (kind == EXPR_PTRADD && ea->kind == EXPR_PTRADD && eb->kind == EXPR_CONST &&
        at(b, ea->b)->kind == EXPR_CONST) {
      ExprId base = ea->a;
      uint32_t stays = z ? ea->c : 0; /* a new constant moves the table */
      ExprId sum = builder_const(b, SORT_INT, 64, at(b, ea->b)->value + eb->value);
      return builder_offset_within(b, base, sum, stays);
    }
    return 0;
  case EXPR_MUL: return eb->kind == EXPR_CONST && eb->value == 1 ? a : 0;
  case EXPR_NE:
    /* (zext bit) != 0 is the bit: how C tests a comparison's result */
    if (zero && ea->kind == EXPR_ZEXT && at(b, ea->a)->bits == 1) return ea->a;
    return zero && ea->bits == 1 ? a : 0;
  case EXPR_EQ:
    if (zero && ea->kind == EXPR_ZEXT && at(b, ea->a)->bits == 1)
      return builder_not(b, ea->a);
    return 0;
  case EXPR_TRUNC:
    if ((ea->kind == EXPR_ZEXT || ea->kind == EXPR_SEXT)) {
      uint32_t inner = at(b, ea->a)->bits;
      if (inner == bits) return ea->a;
      if (inner > bits) return builder_op(b, EXPR_TRUNC, sort, bits, ea->a, 0, 0);
    }
    return 0;
  case EXPR_ZEXT:
    return ea->kind == EXPR_ZEXT ? builder_op(b, EXPR_ZEXT, sort, bits, ea->a, 0, 0) : 0;
  case EXPR_BITCAST:
    if (ea->sort == sort) return a;
    if (ea->kind == EXPR_BITCAST && at(b, ea->a)->sort == sort) return ea->a;
    return 0;
  default: return 0;
  }
}

static ExprId inverted_comparison(Builder *b, const Expr *e) {
  switch ((ExprKind)e->kind) {
  case EXPR_EQ: return builder_op(b, EXPR_NE, SORT_INT, 1, e->a, e->b, 0);
  case EXPR_NE: return builder_op(b, EXPR_EQ, SORT_INT, 1, e->a, e->b, 0);
  case EXPR_ULT: return builder_op(b, EXPR_ULE, SORT_INT, 1, e->b, e->a, 0);
  case EXPR_ULE: return builder_op(b, EXPR_ULT, SORT_INT, 1, e->b, e->a, 0);
  case EXPR_SLT: return builder_op(b, EXPR_SLE, SORT_INT, 1, e->b, e->a, 0);
  case EXPR_SLE: return builder_op(b, EXPR_SLT, SORT_INT, 1, e->b, e->a, 0);
  default: return 0;
  }
}

ExprId builder_op(Builder *b, ExprKind kind, Sort sort, uint32_t bits, ExprId a, ExprId y,
                  ExprId z) {
  int operands = expr_operand_count(kind);
  const Expr *ea = at(b, a);
  assert(operands >= 1 && a);
  if (ea->kind == EXPR_CONST && operands == 1 && kind != EXPR_EXTRACT) {
    uint64_t value;
    if (fold_unary(ea, kind, bits, &value)) return builder_const(b, sort, bits, value);
  }
  if (operands == 2 && kind != EXPR_INSERT && ea->kind == EXPR_CONST && ea->bits <= 64 &&
      ea->sort != SORT_FLOAT && ea->sort != SORT_BFLOAT && at(b, y)->kind == EXPR_CONST) {
    uint64_t value;
    if (fold_binary(kind, ea->bits, ea->value, at(b, y)->value, &value))
      return builder_const(b, sort, bits, value);
  }
  if (kind != EXPR_INSERT && kind != EXPR_EXTRACT && operands <= 2) {
    ExprId simple = simplify(b, kind, sort, bits, a, y, z);
    if (simple) return simple;
  }
  Expr e;
  memset(&e, 0, sizeof e);
  e.kind = kind;
  e.sort = sort;
  e.bits = bits;
  e.a = a;
  e.b = y;
  e.c = z;
  uint32_t weight = 1 + at(b, a)->weight;
  if (operands >= 2) weight += at(b, y)->weight;
  if (operands >= 3) weight += at(b, z)->weight;
  e.weight = weight > UINT16_MAX ? UINT16_MAX : (uint16_t)weight;
  return shared(b, e);
}

ExprId builder_binary(Builder *b, ExprKind kind, ExprId x, ExprId y) {
  return builder_op(b, kind, builder_sort(b, x), builder_bits(b, x), x, y, 0);
}

ExprId builder_compare(Builder *b, ExprKind kind, ExprId x, ExprId y) {
  return builder_op(b, kind, SORT_INT, 1, x, y, 0);
}

ExprId builder_not(Builder *b, ExprId a) {
  uint32_t bits = builder_bits(b, a);
  if (bits == 1) {
    Expr e = *at(b, a);
    ExprId inverse = inverted_comparison(b, &e);
    if (inverse) return inverse;
    if (e.kind == EXPR_XOR && at(b, e.b)->kind == EXPR_CONST && at(b, e.b)->value == 1)
      return e.a;
  }
  if (bits <= 64)
    return builder_binary(b, EXPR_XOR, a, builder_const(b, SORT_INT, bits, UINT64_MAX));
  uint8_t *ones = mem_alloc(bits_to_bytes(bits));
  memset(ones, 0xff, bits_to_bytes(bits));
  if (bits % 8) ones[bits / 8] = (uint8_t)mask_of(bits % 8);
  ExprId all = builder_wide(b, SORT_INT, bits, ones);
  mem_free(ones);
  return builder_binary(b, EXPR_XOR, a, all);
}

ExprId builder_resize(Builder *b, ExprId a, uint32_t bits, bool is_signed) {
  uint32_t now = builder_bits(b, a);
  if (now == bits) return a;
  ExprKind kind = now > bits ? EXPR_TRUNC : is_signed ? EXPR_SEXT : EXPR_ZEXT;
  return builder_op(b, kind, SORT_INT, bits, a, 0, 0);
}

ExprId builder_extract(Builder *b, ExprId a, uint32_t low, Sort sort, uint32_t bits) {
  const Expr *e = at(b, a);
  if (low == 0 && bits == e->bits) return builder_as(b, a, sort);
  if (e->kind == EXPR_UNDEF) return builder_undef(b, sort, bits);
  if (e->kind == EXPR_CONST) return builder_const(b, sort, bits, e->value >> low);
  if (e->kind == EXPR_WIDE && low % 8 == 0 && bits % 8 == 0) {
    uint8_t *copy = mem_dup(&b->program.bytes.data[e->data + low / 8], bits / 8);
    ExprId part = builder_wide(b, sort, bits, copy);
    mem_free(copy);
    return part;
  }
  /* look through insertions: the common way out of an aggregate just built */
  if (e->kind == EXPR_INSERT) {
    uint32_t at_bit = e->c, width = at(b, e->b)->bits;
    if (at_bit == low && width == bits) return builder_as(b, e->b, sort);
    if (at_bit + width <= low || low + bits <= at_bit)
      return builder_extract(b, e->a, low, sort, bits);
  }
  return builder_op(b, EXPR_EXTRACT, sort, bits, a, low, 0);
}

ExprId builder_insert(Builder *b, ExprId a, ExprId part, uint32_t low) {
  if (low == 0 && builder_bits(b, part) == builder_bits(b, a))
    return builder_as(b, part, builder_sort(b, a));
  return builder_op(b, EXPR_INSERT, builder_sort(b, a), builder_bits(b, a), a, part, low);
}

ExprId builder_as(Builder *b, ExprId a, Sort sort) {
  if (builder_sort(b, a) == sort) return a;
  if (at(b, a)->kind == EXPR_UNDEF) return builder_undef(b, sort, builder_bits(b, a));
  if (at(b, a)->kind == EXPR_WIDE) {
    Expr e = *at(b, a);
    return leaf(b, EXPR_WIDE, sort, e.bits, e.data);
  }
  return builder_op(b, EXPR_BITCAST, sort, builder_bits(b, a), a, 0, 0);
}

ExprId builder_offset(Builder *b, ExprId pointer, ExprId offset) {
  return builder_offset_within(b, pointer, offset, 0);
}

ExprId builder_offset_within(Builder *b, ExprId pointer, ExprId offset, uint32_t stays) {
  return builder_op(b, EXPR_PTRADD, SORT_PTR, 64, pointer, offset, stays);
}

ExprId builder_ite(Builder *b, ExprId condition, ExprId then, ExprId otherwise) {
  uint64_t value;
  if (builder_is_const(b, condition, &value)) return value ? then : otherwise;
  if (then == otherwise) return then;
  return builder_op(b, EXPR_ITE, builder_sort(b, then), builder_bits(b, then), condition,
                    then, otherwise);
}
