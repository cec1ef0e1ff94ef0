/* Expressions as terms. See internal.h. */
#include "engine/seq/internal.h"

#include "model/exec/value.h"

enum { WORDS = 8 };

Term seq_fresh(Unwinder *u, uint32_t bits, const char *name) {
  u->seq->vague = true;
  return term_var(u->terms, bits, name);
}

Term seq_foreign(Unwinder *u, uint32_t bits) {
  Term value = seq_fresh(u, bits, "library");
  map_put(&u->foreign, value, 1);
  return value;
}

static uint32_t new_object_instance(Unwinder *u, Map *where, ObjectId object) {
  const Object *o = vec_at(&u->program->objects, object);
  uint32_t i = seq_unwind_new_instance(u, object, o->size, false);
  map_put(where, object, i + 1);
  return i;
}

uint32_t seq_object(Unwinder *u, ObjectId object) {
  const Object *o = vec_at(&u->program->objects, object);
  Map *where = &u->seq->globals;
  if (o->kind == OBJECT_TLS) where = &u->thread_locals;
  if (o->kind == OBJECT_STACK) where = &u->frame->objects;
  uint64_t found = map_find(where, object, 0);
  return found ? (uint32_t)found - 1 : new_object_instance(u, where, object);
}

/* An operation on constants, as the interpreter does it; otherwise any value. */
static Term float_operation(Unwinder *u, const Expr *e, const Term *ops, int count) {
  uint64_t zero[WORDS] = {0}, result[WORDS] = {0};
  const uint64_t *words[3] = {zero, zero, zero};
  uint32_t bits[3] = {0};
  for (int i = 0; i < count; i++) {
    words[i] = term_const_words(u->terms, ops[i]);
    bits[i] = term_bits(u->terms, ops[i]);
    if (!words[i] || bits[i] > 64 * WORDS) return seq_fresh(u, e->bits, "float");
  }
  const Expr *a = program_expr(u->program, e->a);
  ValueOp op = {.kind = e->kind,
                .sort = e->sort,
                .a_sort = a->sort,
                .bits = e->bits,
                .a_bits = bits[0],
                .b_bits = bits[1]};
  if (e->bits > 64 * WORDS ||
      value_apply(&op, result, words[0], words[1], words[2]) != VALUE_OK)
    return seq_fresh(u, e->bits, "float");
  return term_wide(u->terms, e->bits, result);
}

static Term leaf(Unwinder *u, State *s, const Expr *e) {
  Terms *t = u->terms;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: return term_const(t, e->bits, e->value);
  case EXPR_WIDE: {
    uint64_t words[64] = {0};
    uint32_t bytes = bits_to_bytes(e->bits);
    if (bytes > sizeof words) return seq_fresh(u, e->bits, "wide");
    memcpy(words, &u->program->bytes.data[e->data], bytes);
    return term_wide(t, e->bits, words);
  }
  case EXPR_LOCAL: {
    uint32_t index = (uint32_t)e->data - u->frame->f->first_local;
    if (!s->locals[index]) s->locals[index] = term_const(t, e->bits, 0);
    return s->locals[index];
  }
  case EXPR_OBJECT: return term_const(t, 64, seq_base(seq_object(u, (ObjectId)e->data)));
  case EXPR_FUNC: return term_const(t, 64, seq_function_address((FuncId)e->data));
  case EXPR_LABEL: return term_const(t, 64, UINT64_C(3) << 61 | e->data);
  default: return seq_fresh(u, e->bits ? e->bits : 1, "undefined");
  }
}

static Term insert(Terms *t, Term whole, Term part, uint32_t low) {
  uint32_t bits = term_bits(t, whole), n = term_bits(t, part);
  Term value = part;
  if (low) value = term_concat(t, value, term_extract(t, whole, 0, low));
  if (low + n < bits)
    value = term_concat(t, term_extract(t, whole, low + n, bits - low - n), value);
  return value;
}

static Term operation(Unwinder *u, const Expr *e, Term a, Term b, Term c) {
  Terms *t = u->terms;
  switch ((ExprKind)e->kind) {
  case EXPR_ADD: return term_add(t, a, b);
  case EXPR_PTRADD: return term_add(t, a, b);
  case EXPR_SUB: return term_sub(t, a, b);
  case EXPR_MUL: return term_mul(t, a, b);
  case EXPR_UDIV: return term_udiv(t, a, b);
  case EXPR_SDIV: return term_sdiv(t, a, b);
  case EXPR_UREM: return term_urem(t, a, b);
  case EXPR_SREM: return term_srem(t, a, b);
  case EXPR_AND: return term_and(t, a, b);
  case EXPR_OR: return term_or(t, a, b);
  case EXPR_XOR: return term_xor(t, a, b);
  case EXPR_SHL: return term_shl(t, a, term_fit(t, b, term_bits(t, a)));
  case EXPR_LSHR: return term_lshr(t, a, term_fit(t, b, term_bits(t, a)));
  case EXPR_ASHR: return term_ashr(t, a, term_fit(t, b, term_bits(t, a)));
  case EXPR_EQ: return term_eq(t, a, b);
  case EXPR_NE: return term_not(t, term_eq(t, a, b));
  case EXPR_ULT: return term_ult(t, a, b);
  case EXPR_ULE: return term_ule(t, a, b);
  case EXPR_SLT: return term_slt(t, a, b);
  case EXPR_SLE: return term_sle(t, a, b);
  case EXPR_POPCOUNT: return term_popcount(t, a);
  case EXPR_CLZ: return term_clz(t, a);
  case EXPR_CTZ: return term_ctz(t, a);
  case EXPR_BSWAP: return term_bswap(t, a);
  case EXPR_BITREV: return term_bitrev(t, a);
  case EXPR_ZEXT: return term_zext(t, a, e->bits);
  case EXPR_SEXT: return term_sext(t, a, e->bits);
  case EXPR_TRUNC: return term_extract(t, a, 0, e->bits);
  case EXPR_EXTRACT: return term_extract(t, a, e->b, e->bits);
  case EXPR_INSERT: return insert(t, a, b, e->c);
  case EXPR_BITCAST: return a;
  case EXPR_ITE: return term_ite(t, a, b, c);
  default: {
    Term ops[3] = {a, b, c};
    return float_operation(u, e, ops, expr_operand_count((ExprKind)e->kind));
  }
  }
}

static Term value_with(Unwinder *u, State *s, ExprId id, Map *known) {
  const Expr *e = program_expr(u->program, id);
  int n = expr_operand_count((ExprKind)e->kind);
  if (n == 0) return leaf(u, s, e);
  uint64_t found = known ? map_find(known, id, 0) : 0;
  if (found) return (Term)found;
  Term a = value_with(u, s, e->a, known);
  Term b = n > 1 ? value_with(u, s, e->b, known) : 0;
  Term c = n > 2 ? value_with(u, s, e->c, known) : 0;
  Term value = operation(u, e, a, b, c);
  if (known) map_put(known, id, value);
  return value;
}

Term seq_value(Unwinder *u, State *s, ExprId id) {
  enum { LIGHT = 64 };
  if (program_expr(u->program, id)->weight < LIGHT) return value_with(u, s, id, NULL);
  Map known = {0};
  Term value = value_with(u, s, id, &known);
  map_free(&known);
  return value;
}
