/* Expressions to nodes.
 *
 * In: an expression. Out: the first of its nodes, one for each 64 bits of the value; 0 when no
 * pointer can be in it. Operands are built before what uses them, with an explicit stack.
 *
 * A sum of a pointer and offsets is taken as a whole: base, constant, strides of the variable
 * parts. All other arithmetic that can keep a pointer, or put one together from parts (masks,
 * shifts, integer sums, of any width from a byte on), gives its targets at any offset;
 * comparisons, remainders and distances between pointers give none. */
#include "analysis/pointsto_internal.h"

/* ---- offsets ---- */

static uint32_t stride_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a > UINT32_MAX ? 1 : (uint32_t)a;
}

static int64_t constant_value(const Expr *e) {
  uint32_t bits = e->bits > 64 ? 64 : e->bits;
  if (bits == 64) return (int64_t)e->value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((e->value ^ sign) - sign);
}

static uint32_t magnitude(int64_t value) {
  uint64_t m = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  return m > UINT32_MAX ? 1 : (uint32_t)m;
}

/* A number that divides every value of the expression; 0 only for the constant 0. Descends
 * through a bounded number of operations. */
static uint32_t divisor_of(const Solver *s, ExprId id, int depth) {
  const Expr *e = program_expr(s->p, id);
  if (e->kind == EXPR_CONST) return magnitude(constant_value(e));
  if (depth == 0) return 1;
  switch ((ExprKind)e->kind) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_PTRADD:
    return stride_gcd(divisor_of(s, e->a, depth - 1), divisor_of(s, e->b, depth - 1));
  case EXPR_ITE:
    return stride_gcd(divisor_of(s, e->b, depth - 1), divisor_of(s, e->c, depth - 1));
  case EXPR_MUL: {
    uint64_t a = divisor_of(s, e->a, depth - 1), b = divisor_of(s, e->b, depth - 1);
    return a * b > UINT32_MAX ? 1 : (uint32_t)(a * b);
  }
  case EXPR_SHL: {
    const Expr *by = program_expr(s->p, e->b);
    uint64_t a = divisor_of(s, e->a, depth - 1);
    if (by->kind != EXPR_CONST || by->value >= 31) return 1;
    return a << by->value > UINT32_MAX ? 1 : (uint32_t)(a << by->value);
  }
  case EXPR_AND: {
    const Expr *mask = program_expr(s->p, e->b);
    if (mask->kind != EXPR_CONST || !mask->value) return 1;
    return magnitude((int64_t)(mask->value & (0 - mask->value)));
  }
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_BITCAST: return divisor_of(s, e->a, depth - 1);
  default: return 1;
  }
}

enum { DIVISOR_DEPTH = 12 };

static void add_stride(Move *m, uint32_t stride, uint32_t reach) {
  if (!stride) return;
  for (uint32_t i = 0; i < m->stride_count; i++)
    if (m->strides[i] == stride && m->reaches[i] == reach) return;
  if (m->stride_count == MOVE_STRIDES) {
    m->strides[0] = stride_gcd(m->strides[0], stride);
    m->reaches[0] = 0;
    return;
  }
  m->reaches[m->stride_count] = reach;
  m->strides[m->stride_count++] = stride;
}

/* Adds the terms of an offset to a move. `reach` is where C says that it stays. A constant among terms
 * that vary is part of the index. */
static void add_terms(const Solver *s, ExprId id, uint32_t reach, Move *m) {
  const Expr *e = program_expr(s->p, id);
  while (e->kind == EXPR_ADD || e->kind == EXPR_SUB) {
    const Expr *right = program_expr(s->p, e->b);
    if (right->kind != EXPR_CONST) {
      if (e->kind == EXPR_SUB) break;
      add_stride(m, divisor_of(s, e->b, DIVISOR_DEPTH), reach);
    } else {
      int64_t c = constant_value(right);
      m->add = (int64_t)((uint64_t)m->add +
                         (e->kind == EXPR_SUB ? 0 - (uint64_t)c : (uint64_t)c));
    }
    id = e->a;
    e = program_expr(s->p, id);
  }
  if (e->kind == EXPR_CONST) {
    m->add_reach = !m->add ? reach : m->add_reach == reach ? reach : 0;
    m->add = (int64_t)((uint64_t)m->add + (uint64_t)constant_value(e));
  } else {
    m->add_reach = 0;
    add_stride(m, divisor_of(s, id, DIVISOR_DEPTH), reach);
  }
  if (!reach) m->typed = 0;
}

Move pt_offset_move(Solver *s, ExprId offset) {
  Move m = {.kind = MOVE_ADD};
  add_terms(s, offset, 0, &m);
  return m;
}

/* ---- values ---- */

NodeNo pt_local_node(Solver *s, LocalId local) {
  if (!s->local_node[local])
    s->local_node[local] = pt_node_new(s, slots_of(vec_at(&s->p->locals, local)->bits));
  return s->local_node[local];
}

/* The base of a chain of PTRADDs, and the whole way from it. */
static ExprId chain_base(Solver *s, ExprId id, Move *m) {
  *m = (Move){.kind = MOVE_ADD, .typed = 1};
  const Expr *e = program_expr(s->p, id);
  while (e->kind == EXPR_PTRADD) {
    add_terms(s, e->b, e->c, m);
    id = e->a;
    e = program_expr(s->p, id);
  }
  return id;
}

static NodeNo built(const Solver *s, ExprId id) {
  assert(s->expr_node[id]);
  return s->expr_node[id] - 1;
}

static NodeNo shifted(Solver *s, NodeNo from, const Move *m) {
  if (!from) return 0;
  NodeNo to = pt_node_new(s, 1);
  pt_node_shift(s, from, to, m);
  return to;
}

/* Every slot of the result may hold parts of every slot of a and b, at any offset. */
static NodeNo mixed(Solver *s, const Expr *e) {
  static const Move any = {.kind = MOVE_ANY};
  ExprId operands[2] = {e->a, expr_operand_count((ExprKind)e->kind) > 1 ? e->b : 0};
  NodeNo to = 0;
  for (int i = 0; i < 2; i++) {
    NodeNo from = operands[i] ? built(s, operands[i]) : 0;
    if (!from) continue;
    uint32_t from_slots = slots_of(program_expr(s->p, operands[i])->bits);
    uint32_t slots = slots_of(e->bits);
    if (!to) to = pt_node_new(s, slots);
    for (uint32_t a = 0; a < from_slots; a++)
      for (uint32_t b = 0; b < slots; b++)
        if (slots <= 8 ||
            a == b) /* very wide values: shifts by lanes do not occur there */
          pt_node_shift(s, from + a, to + b, &any);
  }
  return to;
}

/* a op constant, where the constant tells what becomes of an address. */
static NodeNo with_constant(Solver *s, const Expr *e) {
  const Expr *right = program_expr(s->p, e->b);
  NodeNo from = built(s, e->a);
  if (e->bits != 64 || right->kind != EXPR_CONST) return mixed(s, e);
  Move m = {.kind = e->kind == EXPR_AND ? MOVE_MASK : MOVE_BITS,
            .add = (int64_t)right->value};
  return shifted(s, from, &m);
}

/* A pointer, written as an integer. */
static bool is_address(const Solver *s, ExprId id) {
  const Expr *e = program_expr(s->p, id);
  return e->kind == EXPR_BITCAST && program_expr(s->p, e->a)->sort == SORT_PTR;
}

static NodeNo sum(Solver *s, const Expr *e) {
  const Expr *right = program_expr(s->p, e->b);
  NodeNo a = built(s, e->a), b = built(s, e->b);
  if (e->bits != 64) return mixed(s, e);
  if (e->kind == EXPR_SUB && is_address(s, e->a) && is_address(s, e->b))
    return 0; /* a distance: added to a pointer it stays in that pointer's object */
  if (!a && !b) return 0;
  /* an integer that holds an address plus an offset: as a pointer would move */
  NodeNo to = pt_node_new(s, 1);
  Move by_b = pt_offset_move(s, e->b), by_a = pt_offset_move(s, e->a);
  by_b.integer = by_a.integer = 1;
  if (e->kind == EXPR_SUB && right->kind == EXPR_CONST)
    by_b.add = (int64_t)(0 - (uint64_t)by_b.add);
  else if (e->kind == EXPR_SUB)
    by_b = (Move){.kind = MOVE_ADD,
                  .integer = 1,
                  .stride_count = 1,
                  .strides = {divisor_of(s, e->b, DIVISOR_DEPTH)}};
  pt_node_shift(s, a, to, &by_b);
  if (e->kind == EXPR_ADD)
    pt_node_shift(s, b, to, &by_a);
  else /* a negated address, which another subtraction may bring back */
    pt_node_shift(s, b, to, &(Move){.kind = MOVE_ANY, .integer = 1});
  return to;
}

static NodeNo insert(Solver *s, const Expr *e) {
  const Expr *part = program_expr(s->p, e->b);
  NodeNo a = built(s, e->a), b = built(s, e->b);
  uint32_t slots = slots_of(e->bits), low = e->c, high = e->c + part->bits;
  if (!a && !b) return 0;
  NodeNo to = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t end = i * 64 + 64 < e->bits ? i * 64 + 64 : e->bits;
    bool replaced = low <= i * 64 && end <= high;
    if (a && !replaced) pt_node_copy(s, a + i, to + i);
    uint32_t parts = b ? slots_of(part->bits) : 0;
    for (uint32_t k = 0; k < parts; k++)
      if (low + k * 64 < end && low + k * 64 + 64 > i * 64)
        pt_node_copy(s, b + k, to + i);
  }
  return to;
}

static NodeNo extract(Solver *s, const Expr *e) {
  NodeNo a = built(s, e->a);
  if (!a) return 0;
  uint32_t slots = slots_of(e->bits), from = slots_of(program_expr(s->p, e->a)->bits);
  NodeNo to = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t low = e->b + i * 64;
    uint32_t high = e->bits < i * 64 + 64 ? e->b + e->bits : low + 64;
    for (uint32_t k = low / 64; k * 64 < high && k < from; k++)
      pt_node_copy(s, a + k, to + i);
  }
  return to;
}

/* Slot by slot, as far as both have them. A part of a pointer from outside is no pointer. */
static NodeNo resized(Solver *s, const Expr *e) {
  NodeNo a = built(s, e->a);
  uint32_t from_bits = program_expr(s->p, e->a)->bits;
  uint32_t slots = slots_of(e->bits), from = slots_of(from_bits);
  if (!a || !holds_parts(e->bits)) return 0;
  if (e->bits < 64 && from_bits >= 64) return shifted(s, a, &(Move){.kind = MOVE_PART});
  if (slots <= from) return a;
  NodeNo to = pt_node_new(s, slots);
  for (uint32_t i = 0; i < from; i++) pt_node_copy(s, a + i, to + i);
  return to;
}

static NodeNo choice(Solver *s, const Expr *e) {
  NodeNo b = built(s, e->b), c = built(s, e->c);
  if (!b || !c || b == c) return b ? b : c;
  uint32_t slots = slots_of(e->bits);
  NodeNo to = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++) {
    pt_node_copy(s, b + i, to + i);
    pt_node_copy(s, c + i, to + i);
  }
  return to;
}

static NodeNo single(Solver *s, LocNo loc) {
  NodeNo node = pt_node_new(s, 1);
  pt_node_add(s, node, loc);
  return node;
}

static NodeNo build(Solver *s, ExprId id) {
  const Expr *e = program_expr(s->p, id);
  switch ((ExprKind)e->kind) {
  case EXPR_LOCAL: return holds_parts(e->bits) ? pt_local_node(s, (LocalId)e->data) : 0;
  case EXPR_OBJECT: return single(s, pt_loc_of(s, (ObjectId)e->data, 0));
  case EXPR_FUNC: return single(s, pt_loc_function((FuncId)e->data));
  case EXPR_PTRADD: {
    Move m;
    ExprId base = chain_base(s, id, &m);
    if (!built(s, base)) /* null plus an address */
      return built(s, e->b);
    const Expr *of = program_expr(s->p, base);
    if (of->kind != EXPR_OBJECT || !pt_object_has(&s->objects.data[of->data], m.add))
      return shifted(s, built(s, base), &m);
    NodeNo at = single(s, pt_loc_exact(s, (ObjectId)of->data, m.add, m.typed));
    m.add = 0;
    return m.stride_count ? shifted(s, at, &m) : at;
  }
  case EXPR_ADD:
  case EXPR_SUB: return sum(s, e);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: return with_constant(s, e);
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_BSWAP:
  case EXPR_BITREV: return mixed(s, e);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_BITCAST: return resized(s, e);
  case EXPR_EXTRACT: return holds_parts(e->bits) ? extract(s, e) : 0;
  case EXPR_INSERT: return insert(s, e);
  case EXPR_ITE: return choice(s, e);
  default: return 0; /* constants, comparisons, remainders, floats, labels */
  }
}

/* The same, or any number. */
static NodeNo or_number(Solver *s, const Expr *e, NodeNo node) {
  NodeNo number = pt_number_node(s, e->bits);
  for (uint32_t i = 0; node && i < slots_of(e->bits); i++)
    pt_node_copy(s, node + i, number + i);
  return number;
}

NodeNo pt_expr_node(Solver *s, ExprId root) {
  VEC(ExprId) stack = {0};
  vec_push(&stack, root);
  while (stack.len) {
    ExprId id = *vec_last(&stack);
    const Expr *e = program_expr(s->p, id);
    ExprId operands[3] = {e->a, e->b, e->c};
    int count = expr_operand_count((ExprKind)e->kind);
    uint32_t before = stack.len;
    for (int i = 0; i < count && !s->expr_node[id]; i++)
      if (!s->expr_node[operands[i]]) vec_push(&stack, operands[i]);
    if (stack.len > before) continue;
    if (!s->expr_node[id]) {
      NodeNo node = build(s, id);
      if (pt_expr_is_number(s, e)) node = or_number(s, e, node);
      s->expr_node[id] = node + 1;
    }
    (void)vec_pop(&stack);
  }
  vec_free(&stack);
  return built(s, root);
}

/* ---- values without the allocations of a wrapper ---- */

/* The expressions that pointsto_wrap.c looks through: copies, casts and constant offsets. */
NodeNo pt_shadow_expr(Solver *s, ExprId id) {
  Move m;
  while (program_expr(s->p, id)->kind == EXPR_BITCAST) id = program_expr(s->p, id)->a;
  const Expr *e = program_expr(s->p, id);
  if (e->kind == EXPR_LOCAL && s->shadow_node[e->data]) return s->shadow_node[e->data];
  if (e->kind == EXPR_PTRADD) {
    ExprId base = chain_base(s, id, &m);
    const Expr *b = program_expr(s->p, base);
    if (b->kind == EXPR_LOCAL && s->shadow_node[b->data])
      return shifted(s, s->shadow_node[b->data], &m);
  }
  return pt_expr_node(s, id);
}

void pt_flow_to_local(Solver *s, NodeNo from, uint32_t from_slots, LocalId local) {
  if (!from || !local || !holds_parts(vec_at(&s->p->locals, local)->bits)) return;
  uint32_t slots = slots_of(vec_at(&s->p->locals, local)->bits);
  NodeNo to = pt_local_node(s, local);
  for (uint32_t i = 0; i < slots && i < from_slots; i++)
    pt_node_copy(s, from + i, to + i);
  if (s->shadow_node[local]) pt_node_copy(s, from, s->shadow_node[local]);
}
