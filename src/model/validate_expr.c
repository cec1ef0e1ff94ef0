/* The rules of expressions (X in the list of validate.c).
 *
 * In: the table of expressions. One pass in order of ids suffices, because operands must
 * have smaller ids than the expression that uses them (X2). The pass also computes, for
 * each expression, whose frame it needs: an expression over a local or a stack object
 * means something only inside that function (X7), and the edges are checked against this.
 * */
#include "model/validate_parts.h"

bool width_fits_sort(uint8_t sort, uint32_t bits) {
  switch (sort) {
  case SORT_INT: return bits > 0 && bits <= UINT32_C(1) << 31; /* so that sums fit */
  case SORT_PTR: return bits == 64;
  case SORT_FLOAT:
    return bits == 16 || bits == 32 || bits == 64 || bits == 80 || bits == 128;
  case SORT_BFLOAT: return bits == 16;
  default: return false;
  }
}

static bool is_int(const Expr *e) {
  return e->sort == SORT_INT;
}
static bool is_float(const Expr *e) {
  return e->sort == SORT_FLOAT || e->sort == SORT_BFLOAT;
}
static bool is_bit(const Expr *e) {
  return e->sort == SORT_INT && e->bits == 1;
}
static bool same(const Expr *a, const Expr *b) {
  return a->sort == b->sort && a->bits == b->bits;
}

/* X3: leaves refer to something that exists and have its shape. */
static const char *leaf_problem(const Check *check, const Expr *e) {
  const Program *p = check->program;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST:
    if (e->bits > 64) return "a constant of more than 64 bits";
    return e->bits < 64 && e->value >> e->bits ? "the value does not fit its width"
                                               : NULL;
  case EXPR_WIDE:
    if (e->bits <= 64) return "a wide constant of no more than 64 bits";
    return range_inside(e->data, bits_to_bytes(e->bits), p->bytes.len)
               ? NULL
               : "its bytes lie outside of the table";
  case EXPR_LOCAL: {
    if (e->data == 0 || e->data >= p->locals.len || !check->local_owner[e->data])
      return "no such local";
    const Local *local = &p->locals.data[e->data];
    return local->bits == e->bits && local->sort == e->sort
               ? NULL
               : "sort or width is not the local's";
  }
  case EXPR_OBJECT: {
    if (e->data == 0 || e->data >= p->objects.len) return "no such object";
    const Object *object = &p->objects.data[e->data];
    if (object->kind == OBJECT_HEAP ||
        (object->kind == OBJECT_STACK && (object->flags & OBJECT_DYNAMIC)))
      return "an object made at run time has no fixed address";
    return e->sort == SORT_PTR ? NULL : "an address that is no pointer";
  }
  case EXPR_FUNC:
    if (e->data == 0 || e->data >= p->functions.len) return "no such function";
    return e->sort == SORT_PTR ? NULL : "an address that is no pointer";
  case EXPR_LABEL:
    if (e->data == 0 || e->data >= p->labels.len) return "no such label";
    return e->sort == SORT_PTR ? NULL : "an address that is no pointer";
  default: return NULL;
  }
}

/* X4: operators on integers and pointers. */
static const char *int_problem(const Expr *e, const Expr *a, const Expr *b,
                               const Expr *c) {
  switch ((ExprKind)e->kind) {
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
  case EXPR_ASHR:
    return is_int(e) && same(a, b) && same(a, e) ? NULL
                                                 : "operands and result differ in width";
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    if (!same(a, b) || is_float(a)) return "it compares operands of different shape";
    return is_bit(e) ? NULL : "the result of a comparison is not 1 bit";
  case EXPR_BSWAP:
    if (e->bits % 16 != 0) return "bytes can be swapped only in multiples of 16 bits";
    return is_int(a) && same(a, e) ? NULL : "operand and result differ in width";
  case EXPR_POPCOUNT:
  case EXPR_CLZ:
  case EXPR_CTZ:
  case EXPR_BITREV:
    return is_int(a) && same(a, e) ? NULL : "operand and result differ in width";
  case EXPR_ZEXT:
  case EXPR_SEXT:
    return is_int(a) && is_int(e) && a->bits < e->bits ? NULL
                                                       : "it does not widen an integer";
  case EXPR_TRUNC:
    return is_int(a) && is_int(e) && a->bits > e->bits ? NULL
                                                       : "it does not narrow an integer";
  case EXPR_EXTRACT:
    return is_int(a) && range_inside(e->b, e->bits, a->bits)
               ? NULL
               : "the extracted bits lie outside of the operand";
  case EXPR_INSERT:
    if (!is_int(a) || !same(a, e)) return "operand and result differ in width";
    return range_inside(e->c, b->bits, a->bits)
               ? NULL
               : "the inserted bits lie outside of the operand";
  case EXPR_BITCAST: return a->bits == e->bits ? NULL : "it changes the width";
  case EXPR_ITE:
    if (!is_bit(a)) return "the condition is not 1 bit";
    return same(b, c) && same(b, e) ? NULL
                                    : "the two values and the result differ in shape";
  case EXPR_PTRADD:
    if (a->sort != SORT_PTR || e->sort != SORT_PTR)
      return "it adds to something that is no pointer";
    return is_int(b) && b->bits == 64 ? NULL : "the offset is not a 64-bit integer";
  default: return NULL;
  }
}

/* X5: operators on floats. */
static const char *float_problem(const Expr *e, const Expr *a, const Expr *b,
                                 const Expr *c) {
  switch ((ExprKind)e->kind) {
  case EXPR_FMA:
    if (!same(a, c)) return "operands and result differ in format";
    __attribute__((fallthrough));
  case EXPR_FADD:
  case EXPR_FSUB:
  case EXPR_FMUL:
  case EXPR_FDIV:
  case EXPR_FREM:
  case EXPR_FCOPYSIGN:
    return is_float(e) && same(a, b) && same(a, e)
               ? NULL
               : "operands and result differ in format";
  case EXPR_FNEG:
  case EXPR_FABS:
    return is_float(e) && same(a, e) ? NULL : "operand and result differ in format";
  case EXPR_FEQ:
  case EXPR_FLT:
  case EXPR_FLE:
  case EXPR_FORD:
    if (!is_float(a) || !same(a, b)) return "it compares operands of different format";
    return is_bit(e) ? NULL : "the result of a comparison is not 1 bit";
  case EXPR_FTOF:
    return is_float(a) && is_float(e) && !same(a, e) ? NULL
                                                     : "it does not change the format";
  case EXPR_FTOSI:
  case EXPR_FTOUI:
    return is_float(a) && is_int(e) ? NULL : "it does not turn a float into an integer";
  case EXPR_SITOF:
  case EXPR_UITOF:
    return is_int(a) && is_float(e) ? NULL : "it does not turn an integer into a float";
  default: return NULL;
  }
}

/* X7: the one function whose frame both need; false when there are two. */
static bool join_owner(FuncId *owner, FuncId other) {
  if (other == 0 || *owner == other) return true;
  if (*owner != 0) return false;
  *owner = other;
  return true;
}

static FuncId leaf_owner(const Check *check, const Expr *e) {
  if (e->kind == EXPR_LOCAL) return check->local_owner[e->data];
  if (e->kind == EXPR_OBJECT) {
    const Object *object = &check->program->objects.data[e->data];
    return object->kind == OBJECT_STACK ? object->owner : 0;
  }
  return 0;
}

/* What a relocation may hold: no local, and no object of a frame or a thread. */
static bool leaf_fixed(const Check *check, const Expr *e) {
  if (e->kind == EXPR_OBJECT)
    return check->program->objects.data[e->data].kind == OBJECT_GLOBAL;
  return e->kind != EXPR_LOCAL;
}

/* X6: what a kind does not use is 0, so that equal expressions are equal bytes. */
static bool unused_are_zero(const Expr *e, int operands) {
  if (operands == 0) return e->c == 0 && (e->kind != EXPR_UNDEF || e->data == 0);
  if (operands == 1) return e->c == 0 && (e->kind == EXPR_EXTRACT || e->b == 0);
  return operands == 3 || e->kind == EXPR_INSERT || e->kind == EXPR_PTRADD || e->c == 0;
}

static bool check_expr(Check *check, ExprId id) {
  const Program *p = check->program;
  const Expr *e = &p->exprs.data[id];
  if (e->kind == EXPR_NONE || e->kind >= EXPR_KIND_COUNT)
    return fail_at(check, "X1", "exprs", id, "unknown kind %u", e->kind);
  const char *text = expr_kind_text((ExprKind)e->kind);
  if (!width_fits_sort(e->sort, e->bits))
    return fail_at(check, "X1", "exprs", id, "%s of sort %u cannot have %u bits", text,
                   e->sort, e->bits);
  int operands = expr_operand_count((ExprKind)e->kind);
  if (!unused_are_zero(e, operands))
    return fail_at(check, "X6", "exprs", id, "%s has operands that it does not use",
                   text);
  if (operands == 0) {
    const char *problem = leaf_problem(check, e);
    if (problem) return fail_at(check, "X3", "exprs", id, "%s: %s", text, problem);
    check->expr_owner[id] = leaf_owner(check, e);
    check->expr_fixed[id] = leaf_fixed(check, e);
    return true;
  }
  const ExprId ids[3] = {e->a, e->b, e->c};
  const Expr *x[3] = {NULL, NULL, NULL};
  FuncId owner = 0;
  bool fixed = true;
  for (int i = 0; i < operands; i++) {
    if (ids[i] == 0 || ids[i] >= id)
      return fail_at(check, "X2", "exprs", id,
                     "%s: operand %d is not an earlier expression", text, i + 1);
    x[i] = &p->exprs.data[ids[i]];
    fixed = fixed && check->expr_fixed[ids[i]];
    if (!join_owner(&owner, check->expr_owner[ids[i]]))
      return fail_at(check, "X7", "exprs", id, "%s mixes the frames of two functions",
                     text);
  }
  check->expr_owner[id] = owner;
  check->expr_fixed[id] = fixed;
  const char *problem = int_problem(e, x[0], x[1], x[2]);
  if (problem) return fail_at(check, "X4", "exprs", id, "%s: %s", text, problem);
  problem = float_problem(e, x[0], x[1], x[2]);
  if (problem) return fail_at(check, "X5", "exprs", id, "%s: %s", text, problem);
  return true;
}

bool check_exprs(Check *check) {
  for (ExprId id = 1; id < check->program->exprs.len; id++)
    if (!check_expr(check, id)) return false;
  return true;
}
