/* Expressions to instructions. In: an expression of the model. Out: code that leaves its
 * value in a slot.
 *
 * A tree walk with a memo per edge, so that a shared part of the DAG is computed once.
 * Widening and reinterpreting cost nothing: canonical values already have the right
 * words, and the slot of the operand is the answer. Conditional expressions are evaluated
 * lazily, with branches, because the arm that is not taken may be undefined (a shift that
 * the condition guards). */
#include "model/exec/eval.h"

static const Expr *expr_at(const Gen *g, ExprId e) {
  return vec_at(&g->program->exprs, e);
}

Ins *gen_ins(Gen *g, InsKind op, uint32_t d, uint32_t a, uint32_t b) {
  Ins ins = {.op = (uint16_t)op, .steps = g->begins, .d = d, .a = a, .b = b};
  g->begins = false;
  vec_push(&g->ins, ins);
  vec_push(&g->edges, g->edge);
  return vec_last(&g->ins);
}

static Ins *ins_wide_number(Gen *g, InsKind op, uint32_t d, uint64_t number) {
  return gen_ins(g, op, d, (uint32_t)number, (uint32_t)(number >> 32));
}

uint32_t gen_temp(Gen *g, uint32_t bits) {
  uint32_t slot = g->next_temp;
  g->next_temp += value_words(bits);
  if (g->next_temp > g->temp_end) g->temp_end = g->next_temp;
  return slot;
}

static void remember(Gen *g, ExprId e, uint32_t slot) {
  g->exec->memo[e] = slot;
  vec_push(&g->memo, e);
}

void gen_forget(Gen *g, uint32_t mark) {
  while (g->memo.len > mark) g->exec->memo[vec_pop(&g->memo)] = 0;
}

bool gen_const(Gen *g, ExprId e, uint64_t *ret) {
  const Expr *x = expr_at(g, e);
  if (x->kind == EXPR_BITCAST && x->bits <= 64) return gen_const(g, x->a, ret);
  if (x->kind == EXPR_UNDEF && x->bits <= 64) {
    *ret = 0;
    return true;
  }
  if (x->kind == EXPR_CONST) {
    *ret = x->value;
    return true;
  }
  return x->sort == SORT_PTR && gen_static_address(g, e, ret);
}

bool gen_static_address(Gen *g, ExprId e, uint64_t *ret) {
  const Expr *x = expr_at(g, e);
  switch ((ExprKind)x->kind) {
  case EXPR_OBJECT: {
    const Object *object = vec_at(&g->program->objects, x->data);
    if (object->kind == OBJECT_TLS || object->kind == OBJECT_STACK) return false;
    *ret = g->exec->object_address[x->data];
    return true;
  }
  case EXPR_FUNC: *ret = exec_function_address(g->exec, (FuncId)x->data); return true;
  case EXPR_LABEL: *ret = exec_label_address(g->exec, (uint32_t)x->data); return true;
  case EXPR_PTRADD: {
    uint64_t offset;
    if (!gen_static_address(g, x->a, ret) || !gen_const(g, x->b, &offset)) return false;
    *ret += offset;
    return true;
  }
  default: return false;
  }
}

static uint32_t frame_object(const Gen *g, ObjectId id) {
  for (uint32_t i = 0; i < g->code->object_count; i++)
    if (g->code->objects[i] == id) return i;
  return UINT32_MAX;
}

bool gen_frame_address(Gen *g, ExprId e, uint32_t *ret_object, int64_t *ret_offset) {
  const Expr *x = expr_at(g, e);
  if (x->kind == EXPR_OBJECT &&
      vec_at(&g->program->objects, x->data)->kind == OBJECT_STACK) {
    *ret_object = frame_object(g, (ObjectId)x->data);
    *ret_offset = 0;
    return *ret_object != UINT32_MAX;
  }
  uint64_t offset;
  if (x->kind != EXPR_PTRADD || !gen_frame_address(g, x->a, ret_object, ret_offset) ||
      !gen_const(g, x->b, &offset))
    return false;
  *ret_offset += (int64_t)offset;
  return true;
}

ExprId gen_split_offset(Gen *g, ExprId e, int32_t *ret_offset) {
  const Expr *x = expr_at(g, e);
  uint64_t value;
  *ret_offset = 0;
  if (x->kind == EXPR_PTRADD && gen_const(g, x->b, &value) &&
      (int64_t)value == (int32_t)value) {
    *ret_offset = (int32_t)value;
    return x->a;
  }
  return e;
}

/* ---- immediate operands ---- */

typedef enum { FORM_R, FORM_I, FORM_U } Form;

/* The number as `b` of an instruction: FORM_R when it does not fit. */
static Form immediate_form(uint64_t value, uint32_t bits, bool bitwise, uint32_t *ret) {
  if (bitwise) {
    *ret = (uint32_t)value;
    if (value <= UINT32_MAX) return FORM_U;
    return (uint64_t)(int64_t)(int32_t)value == value ? FORM_I : FORM_R;
  }
  int64_t number = value_signed(value, bits);
  *ret = (uint32_t)number;
  return number == (int32_t)number ? FORM_I : FORM_R;
}

/* Instructions come in families: R32 I32 R64 I64 R I, or R I U. */
static InsKind arithmetic_form(InsKind family, uint32_t bits, Form form) {
  unsigned width = bits == 32 ? 0 : bits == 64 ? 2 : 4;
  return (InsKind)(family + width + (form == FORM_R ? 0 : 1));
}

typedef struct {
  InsKind family, flipped; /* flipped: with the operands exchanged; 0: there is none */
  bool bitwise, divides, shifts;
} Family;

static Family value_family(ExprKind kind) {
  switch (kind) {
  case EXPR_ADD:
  case EXPR_PTRADD: return (Family){INS_ADD_R32, INS_ADD_R32, 0, 0, 0};
  case EXPR_SUB: return (Family){INS_SUB_R32, 0, 0, 0, 0};
  case EXPR_MUL: return (Family){INS_MUL_R32, INS_MUL_R32, 0, 0, 0};
  case EXPR_UDIV: return (Family){INS_UDIV_R32, 0, 0, true, 0};
  case EXPR_SDIV: return (Family){INS_SDIV_R32, 0, 0, true, 0};
  case EXPR_UREM: return (Family){INS_UREM_R32, 0, 0, true, 0};
  case EXPR_SREM: return (Family){INS_SREM_R32, 0, 0, true, 0};
  case EXPR_SHL: return (Family){INS_SHL_R32, 0, 0, 0, true};
  case EXPR_LSHR: return (Family){INS_LSHR_R32, 0, 0, 0, true};
  case EXPR_ASHR: return (Family){INS_ASHR_R32, 0, 0, 0, true};
  case EXPR_AND: return (Family){INS_AND_R, INS_AND_R, true, 0, 0};
  case EXPR_OR: return (Family){INS_OR_R, INS_OR_R, true, 0, 0};
  case EXPR_XOR: return (Family){INS_XOR_R, INS_XOR_R, true, 0, 0};
  case EXPR_EQ: return (Family){INS_EQ_R, INS_EQ_R, true, 0, 0};
  case EXPR_NE: return (Family){INS_NE_R, INS_NE_R, true, 0, 0};
  case EXPR_ULT: return (Family){INS_ULT_R, INS_UGT_R, true, 0, 0};
  case EXPR_ULE: return (Family){INS_ULE_R, INS_UGE_R, true, 0, 0};
  case EXPR_SLT: return (Family){INS_SLT_R32, INS_SGT_R32, 0, 0, 0};
  case EXPR_SLE: return (Family){INS_SLE_R32, INS_SGE_R32, 0, 0, 0};
  default: return (Family){INS_NOP, 0, 0, 0, 0};
  }
}

static Family branch_family(ExprKind kind) {
  switch (kind) {
  case EXPR_EQ: return (Family){INS_BEQ_R, INS_BEQ_R, true, 0, 0};
  case EXPR_NE: return (Family){INS_BNE_R, INS_BNE_R, true, 0, 0};
  case EXPR_ULT: return (Family){INS_BULT_R, INS_BUGT_R, true, 0, 0};
  case EXPR_ULE: return (Family){INS_BULE_R, INS_BUGE_R, true, 0, 0};
  case EXPR_SLT: return (Family){INS_BSLT_R32, INS_BSGT_R32, 0, 0, 0};
  case EXPR_SLE: return (Family){INS_BSLE_R32, INS_BSGE_R32, 0, 0, 0};
  default: return (Family){INS_NOP, 0, 0, 0, 0};
  }
}

/* Immediates for which the instruction needs no check at run time. */
static bool immediate_is_safe(Family f, uint64_t value, uint32_t bits) {
  if (f.divides) return value != 0 && value_signed(value, bits) != -1;
  return !f.shifts || value < bits;
}

/* One instruction of the family on operands of `bits` bits; d is filled in. */
static uint32_t emit_family(Gen *g, Family f, uint32_t bits, uint32_t d, ExprId a,
                            ExprId b) {
  uint64_t value;
  uint32_t number = 0;
  Form form = FORM_R;
  if (f.flipped && gen_const(g, a, &value) && !gen_const(g, b, &(uint64_t){0})) {
    ExprId t = a;
    a = b;
    b = t;
    f.family = f.flipped;
  }
  if (gen_const(g, b, &value) && immediate_is_safe(f, value, bits))
    form = immediate_form(value, bits, f.bitwise, &number);
  uint32_t x = gen_expr(g, a), y = form == FORM_R ? gen_expr(g, b) : number;
  InsKind op =
      f.bitwise ? (InsKind)(f.family + form) : arithmetic_form(f.family, bits, form);
  gen_ins(g, op, d, x, y)->n = (uint8_t)bits;
  return g->ins.len - 1;
}

/* ---- operators ---- */

static void emit_general(Gen *g, ExprId e, uint32_t d) {
  const Expr *x = expr_at(g, e);
  int operands = expr_operand_count((ExprKind)x->kind);
  const Expr *a = expr_at(g, x->a);
  GenOp op = {.op = {.kind = x->kind,
                     .sort = x->sort,
                     .a_sort = a->sort,
                     .bits = x->bits,
                     .a_bits = a->bits},
              .d = d};
  op.a = gen_expr(g, x->a);
  if (operands >= 2) op.b = gen_expr(g, x->b);
  if (operands >= 3) op.c = gen_expr(g, x->c);
  if (x->kind == EXPR_EXTRACT) op.op.low = x->b;
  if (x->kind == EXPR_INSERT) {
    op.op.low = x->c;
    op.op.b_bits = expr_at(g, x->b)->bits;
  }
  vec_push(&g->code->gens, op);
  gen_ins(g, INS_GEN, d, g->code->gens.len - 1, 0);
}

static void emit_ite(Gen *g, ExprId e, uint32_t d) {
  const Expr *x = expr_at(g, e);
  ExprId then = x->b, otherwise = x->c;
  uint32_t branch = gen_branch(g, x->a);
  uint32_t mark = g->memo.len;
  gen_expr_to(g, otherwise, d);
  gen_forget(g, mark); /* computed only on this side */
  gen_ins(g, INS_JUMP, 0, 0, 0);
  uint32_t jump = g->ins.len - 1;
  g->ins.data[branch].d = g->ins.len - branch;
  gen_expr_to(g, then, d);
  gen_forget(g, mark);
  g->ins.data[jump].d = g->ins.len - jump;
  /* the jump must have somewhere to land inside of this edge */
  gen_ins(g, INS_NOP, 0, 0, 0);
}

/* p + sext(i) * size: the address of an array element. */
static bool emit_scaled(Gen *g, const Expr *x, uint32_t d) {
  const Expr *product = expr_at(g, x->b);
  uint64_t factor = 1;
  ExprId index = x->b;
  if (product->kind == EXPR_MUL) {
    if (!gen_const(g, product->b, &factor) || factor > UINT8_MAX) return false;
    index = product->a;
  }
  const Expr *wide = expr_at(g, index);
  if (wide->kind != EXPR_SEXT || expr_at(g, wide->a)->bits != 32) return false;
  uint32_t base = gen_expr(g, x->a), slot = gen_expr(g, wide->a);
  gen_ins(g, INS_SCALE, d, base, slot)->n = (uint8_t)factor;
  return true;
}

static InsKind float_kind(ExprKind kind, uint32_t bits) {
  bool is_double = bits == 64;
  switch (kind) {
  case EXPR_FADD: return is_double ? INS_FADD64 : INS_FADD32;
  case EXPR_FSUB: return is_double ? INS_FSUB64 : INS_FSUB32;
  case EXPR_FMUL: return is_double ? INS_FMUL64 : INS_FMUL32;
  case EXPR_FDIV: return is_double ? INS_FDIV64 : INS_FDIV32;
  case EXPR_FEQ: return is_double ? INS_FEQ64 : INS_FEQ32;
  case EXPR_FLT: return is_double ? INS_FLT64 : INS_FLT32;
  case EXPR_FLE: return is_double ? INS_FLE64 : INS_FLE32;
  default: return INS_NOP;
  }
}

/* Narrow results of width changes; false when the general way must do it. */
static bool emit_resize(Gen *g, const Expr *x, uint32_t d) {
  uint32_t from = expr_at(g, x->a)->bits;
  if (x->bits > 64) return false;
  if (x->kind == EXPR_SEXT) {
    uint32_t a = gen_expr(g, x->a);
    InsKind op = x->bits == 64 ? INS_SEXT64 : x->bits == 32 ? INS_SEXT32 : INS_SEXT;
    gen_ins(g, op, d, a, x->bits)->n = (uint8_t)from;
    return true;
  }
  if (x->kind == EXPR_TRUNC) {
    uint32_t a = gen_expr(g, x->a);
    gen_ins(g, INS_TRUNC, d, a, 0)->n = (uint8_t)x->bits;
    return true;
  }
  if (x->kind == EXPR_EXTRACT && x->b / 64 == (x->b + x->bits - 1) / 64) {
    uint32_t low = x->b;
    uint32_t a = gen_expr(g, x->a) + low / 64;
    gen_ins(g, INS_EXTRACT, d, a, low % 64)->n = (uint8_t)x->bits;
    return true;
  }
  return false;
}

/* Computes an operator into slot d; operands are read before d is written, except by wide
 * operations. */
static void emit(Gen *g, ExprId e, uint32_t d) {
  const Expr *x = expr_at(g, e);
  const Expr *a = expr_at(g, x->a);
  ExprKind kind = (ExprKind)x->kind;
  if (kind == EXPR_ITE) {
    emit_ite(g, e, d);
    return;
  }
  if (kind == EXPR_PTRADD && emit_scaled(g, x, d)) return;
  if (kind == EXPR_SEXT || kind == EXPR_TRUNC || kind == EXPR_EXTRACT) {
    if (!emit_resize(g, x, d)) emit_general(g, e, d);
    return;
  }
  Family family = value_family(kind);
  if (family.family != INS_NOP && a->bits <= 64) {
    emit_family(g, family, a->bits, d, x->a, x->b);
    return;
  }
  InsKind op = a->sort == SORT_FLOAT && (a->bits == 32 || a->bits == 64)
                   ? float_kind(kind, a->bits)
                   : INS_NOP;
  if (op != INS_NOP) {
    uint32_t p = gen_expr(g, x->a), q = gen_expr(g, x->b);
    gen_ins(g, op, d, p, q);
    return;
  }
  emit_general(g, e, d);
}

static void emit_leaf(Gen *g, ExprId e, uint32_t d) {
  const Expr *x = expr_at(g, e);
  uint64_t number;
  if (x->bits <= 64 && gen_const(g, e, &number)) {
    ins_wide_number(g, INS_CONST, d, number);
    return;
  }
  if (x->kind != EXPR_OBJECT) {
    gen_ins(g, INS_WIDE, d, e, 0);
    return;
  }
  if (vec_at(&g->program->objects, x->data)->kind == OBJECT_TLS) {
    ins_wide_number(g, INS_TLS, d, g->exec->object_address[x->data]);
    return;
  }
  uint32_t object = frame_object(g, (ObjectId)x->data);
  assert(object != UINT32_MAX);
  gen_ins(g, INS_FRAME, d, g->code->object_offset[object], 0);
}

/* The slot of an operand that already has this very value, or 0. */
static uint32_t alias(Gen *g, const Expr *x) {
  switch ((ExprKind)x->kind) {
  case EXPR_LOCAL:
    return g->code->slot_of[x->data - vec_at(&g->program->functions, g->code->function)
                                          ->first_local];
  case EXPR_BITCAST: return gen_expr(g, x->a);
  case EXPR_ZEXT:
    return value_words(x->bits) == value_words(expr_at(g, x->a)->bits) ? gen_expr(g, x->a)
                                                                       : 0;
  case EXPR_TRUNC: return x->bits % 64 == 0 ? gen_expr(g, x->a) : 0;
  case EXPR_EXTRACT: {
    uint32_t low = x->b, all = expr_at(g, x->a)->bits;
    if (low % 64 || (x->bits % 64 && low + x->bits != all)) return 0;
    return gen_expr(g, x->a) + low / 64;
  }
  default: return 0;
  }
}

uint32_t gen_expr(Gen *g, ExprId e) {
  if (g->exec->memo[e]) return g->exec->memo[e];
  const Expr *x = expr_at(g, e);
  uint32_t slot = alias(g, x);
  if (slot) return slot;
  slot = gen_temp(g, x->bits);
  if (expr_operand_count((ExprKind)x->kind) == 0 || gen_const(g, e, &(uint64_t){0}))
    emit_leaf(g, e, slot);
  else
    emit(g, e, slot);
  remember(g, e, slot);
  return slot;
}

static void move(Gen *g, uint32_t to, uint32_t from, uint32_t bits) {
  if (to == from) return;
  if (bits <= 64)
    gen_ins(g, INS_MOVE, to, from, 0);
  else
    gen_ins(g, INS_MOVE_WORDS, to, from, value_words(bits));
}

void gen_expr_to(Gen *g, ExprId e, uint32_t slot) {
  const Expr *x = expr_at(g, e);
  uint32_t have = g->exec->memo[e] ? g->exec->memo[e] : alias(g, x);
  if (!have && x->bits > 64) have = gen_expr(g, e);
  if (have)
    move(g, slot, have, x->bits);
  else if (expr_operand_count((ExprKind)x->kind) == 0 || gen_const(g, e, &(uint64_t){0}))
    emit_leaf(g, e, slot);
  else
    emit(g, e, slot);
}

uint32_t gen_branch(Gen *g, ExprId condition) {
  const Expr *x = expr_at(g, condition);
  uint64_t one;
  if (!g->exec->memo[condition]) {
    Family family = branch_family((ExprKind)x->kind);
    if (family.family != INS_NOP && expr_at(g, x->a)->bits <= 64)
      return emit_family(g, family, expr_at(g, x->a)->bits, 0, x->a, x->b);
    if (x->kind == EXPR_XOR && gen_const(g, x->b, &one) && one == 1) {
      uint32_t slot = gen_expr(g, x->a);
      gen_ins(g, INS_BFALSE, 0, slot, 0);
      return g->ins.len - 1;
    }
  }
  uint32_t slot = gen_expr(g, condition);
  gen_ins(g, INS_BTRUE, 0, slot, 0);
  return g->ins.len - 1;
}
