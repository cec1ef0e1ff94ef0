/* Unknown indices and truths, one by one.
 *
 * The address of `lock[i]` with an unknown i lies anywhere in its array, which says little
 * about locks. Here the step goes every way instead: once for each index that the array
 * has. The index is a local, which has that value from then on, or what an expression
 * computes, as in `table[hash % SIZE]`; then the address alone is known, and the
 * expression may have another value the next time: that only adds executions.
 *
 * An index outside of its array is undefined and left out. What is no array of a known
 * type is bounded by its object.
 *
 * `bool parallel = argc > 1;` is tried with true and with false, so that all later tests
 * of the variable agree; so is `unsigned i = input % 3;` with each of the three, from which others
 * may be chosen: the smaller of two indices, and the larger. */
#include "engine/interleave/machine.h"
#include "model/exec/value.h"

enum { MAX_WAYS = 16, MAX_DEPTH = 32 };

/* The address is `stride` × x + something known. */
typedef struct {
  ExprId x;
  int64_t stride;
  bool is_signed;
} Index;

static bool is_constant(const Machine *m, ExprId id, int64_t *ret) {
  const Expr *e = program_expr(m->p, id);
  *ret = (int64_t)e->value;
  return e->kind == EXPR_CONST && e->bits == 64;
}

/* The one unknown operand, or 0. */
static ExprId unknown_operand(Machine *m, const Expr *e) {
  bool a = !abs_is_number(il_eval(m, e->a)), b = !abs_is_number(il_eval(m, e->b));
  AbsValue va = il_eval(m, e->a), vb = il_eval(m, e->b);
  if (abs_tag(va) == ABS_INSTANCE && abs_is_top(vb)) return e->b;
  if (abs_tag(va) == ABS_WITHIN && !b) return e->a;
  if (abs_is_top(va) && !b) return e->a;
  return abs_is_top(vb) && !a ? e->b : 0;
}

static bool find_index(Machine *m, ExprId address, Index *ret) {
  int64_t factor;
  ret->stride = 1;
  for (int depth = 0; depth < MAX_DEPTH && address; depth++) {
    const Expr *e = program_expr(m->p, address);
    switch ((ExprKind)e->kind) {
    case EXPR_BITCAST: address = e->a; break;
    case EXPR_PTRADD:
    case EXPR_ADD: address = e->bits == 64 ? unknown_operand(m, e) : 0; break;
    case EXPR_MUL:
      if (e->bits != 64 || !is_constant(m, e->b, &factor)) return false;
      if (__builtin_mul_overflow(ret->stride, factor, &ret->stride)) return false;
      address = e->a;
      break;
    case EXPR_SHL:
      if (e->bits != 64 || !is_constant(m, e->b, &factor) || factor > 16) return false;
      ret->stride *= INT64_C(1) << factor;
      address = e->a;
      break;
    case EXPR_SEXT:
    case EXPR_ZEXT:
      ret->is_signed = e->kind == EXPR_SEXT;
      ret->x = e->a;
      return ret->stride > 0 && ret->stride < SIZE_UNKNOWN &&
             program_expr(m->p, e->a)->bits <= 32 && abs_is_top(il_eval(m, e->a));
    case EXPR_LOCAL:
      ret->is_signed = true;
      ret->x = address;
      return ret->stride > 1 && ret->stride < SIZE_UNKNOWN && e->bits == 64 &&
             abs_is_top(il_eval(m, address));
    default: return false;
    }
  }
  return false;
}

static void set_index(Machine *m, const Index *index, int64_t value) {
  const Expr *x = program_expr(m->p, index->x);
  AbsValue v = abs_number((uint64_t)value & value_mask(x->bits));
  if (x->kind == EXPR_LOCAL) il_local_set(m, (LocalId)x->data, v);
  il_eval_forget(m);
  m->memo.values[index->x] = v;
  m->memo.stamps[index->x] = m->memo.stamp;
}

static void unset_index(Machine *m, const Index *index) {
  const Expr *x = program_expr(m->p, index->x);
  if (x->kind == EXPR_LOCAL) il_local_set(m, (LocalId)x->data, abs_top());
  il_eval_forget(m);
}

/* The array around a byte whose elements have this size: from ≤ its bytes < to. Of arrays
 * of arrays it is the outermost, for programs do walk through the rows of a matrix. */
static void find_array(const Program *p, TypeId type, uint64_t byte, uint64_t stride,
                       uint64_t *from, uint64_t *to) {
  uint64_t start = 0, outer = 0, outer_end = 0;
  bool nested = false;
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    TypeId plain = type_resolve(p, type);
    const Type *t = plain ? vec_at(&p->types, plain) : NULL;
    if (t && t->kind == TYPE_ARRAY && t->count && t->size / t->count) {
      uint64_t size = t->size / t->count;
      if (byte >= t->size) return;
      if (!nested) outer = start;
      if (!nested) outer_end = start + t->size;
      if (size == stride) {
        *from = outer;
        *to = outer_end;
        return;
      }
      nested = true;
      start += byte / size * size;
      byte %= size;
      type = t->elem;
    } else if (t && t->kind == TYPE_STRUCT) {
      const Field *found = NULL;
      for (uint32_t i = 0; i < t->field_count && !found; i++) {
        const Field *f = vec_at(&p->fields, t->first_field + i);
        if (f->bit_offset <= byte * 8 && byte * 8 < f->bit_offset + f->bit_size)
          found = f;
      }
      if (!found) return;
      nested = false;
      start += found->bit_offset / 8;
      byte -= found->bit_offset / 8;
      type = found->type;
    } else {
      return;
    }
  }
}

Outcome il_split(Machine *m, ExprId address, AbsValue *value) {
  Index index = {0};
  if (abs_tag(*value) != ABS_WITHIN || !find_index(m, address, &index))
    return OUTCOME_NEXT;
  m->vague = true;
  if (!m->options.split) return OUTCOME_NEXT;
  set_index(m, &index, 0);
  AbsValue zero = il_eval(m, address);
  unset_index(m, &index);
  if (abs_tag(zero) != ABS_INSTANCE) return OUTCOME_NEXT;
  const Instance *i = &m->s.instances.data[abs_id(zero)];
  if (i->size == SIZE_UNKNOWN || (int64_t)zero.num < 0 || zero.num >= i->size)
    return OUTCOME_NEXT;
  uint64_t from = 0, to = i->size, stride = (uint64_t)index.stride;
  find_array(m->p, vec_at(&m->p->objects, i->object)->type, zero.num, stride, &from, &to);
  int64_t first = index.is_signed ? -(int64_t)((zero.num - from) / stride) : 0;
  int64_t last = (int64_t)((to - 1 - zero.num) / stride);
  if (last - first + 1 > MAX_WAYS) return OUTCOME_NEXT;
  int choice = machine_choose(m, (unsigned)(last - first + 1));
  if (choice < 0) return OUTCOME_PAUSE;
  set_index(m, &index, first + choice);
  *value = il_eval(m, address);
  return OUTCOME_NEXT;
}

/* How many values an expression of unknown operands has, all below that number; 0: many. */
static uint32_t count_values(const Program *p, ExprId expr) {
  const Expr *e = program_expr(p, expr);
  if (e->kind == EXPR_ZEXT && program_expr(p, e->a)->bits == 1) return 2;
  while (e->kind == EXPR_ZEXT) e = program_expr(p, e->a);
  if (e->kind != EXPR_UREM && e->kind != EXPR_AND) return 0;
  const Expr *limit = program_expr(p, e->b);
  uint64_t most = limit->value - (e->kind == EXPR_UREM);
  return limit->kind == EXPR_CONST && limit->bits <= 64 && most < MAX_WAYS
             ? (uint32_t)most + 1
             : 0;
}

Outcome il_split_few(Machine *m, ExprId expr, AbsValue *value) {
  uint32_t count = abs_is_top(*value) ? count_values(m->p, expr) : 0;
  if (count < 2) return OUTCOME_NEXT;
  m->vague = true;
  if (!m->options.split) return OUTCOME_NEXT;
  int choice = machine_choose(m, count);
  if (choice < 0) return OUTCOME_PAUSE;
  *value = abs_number((uint64_t)choice);
  return OUTCOME_NEXT;
}
