/* Expressions over abstract values.
 *
 * Numbers of up to 64 bits (floats too) are computed by the same code as in the
 * interpreter (model/exec/value.h). Addresses keep their origin through offset
 * arithmetic; everything else that is done with them, and every wider value, is TOP. A
 * TOP that may hide an address is noted in the state (`lost`). */
#include "engine/interleave/machine.h"
#include "model/exec/value.h"

enum { MAX_DEPTH = 400 };

ThreadFrame *il_frame_top(Machine *m) {
  AbsThread *t = &m->s.threads[m->t];
  return vec_last(&t->frames);
}

void il_local_set(Machine *m, LocalId local, AbsValue v) {
  if (!local) return;
  AbsThread *t = &m->s.threads[m->t];
  const ThreadFrame *f = vec_last(&t->frames);
  const Function *function = vec_at(&m->p->functions, f->function);
  const Local *l = vec_at(&m->p->locals, local);
  if (l->bits > 64) v = abs_top();
  if (abs_is_number(v)) v.num &= value_mask(l->bits);
  *vec_at(&t->regs, f->regs + (local - function->first_local)) = v;
}

uint32_t il_instance_new(Machine *m, ObjectId object, uint32_t size, Default contents) {
  if (facts_is_havocked(m->facts, object)) contents = DEFAULT_TOP;
  Instance i = {.object = object, .size = size, .contents = (uint8_t)contents};
  vec_push(&m->s.instances, i);
  return m->s.instances.len - 1;
}

/* Stack and thread-local objects come to life when their address is first needed: before
 * that nobody can have touched them. */
uint32_t il_instance_of(Machine *m, ObjectId object) {
  if (m->facts->static_instance[object]) return m->facts->static_instance[object] - 1;
  const Object *o = vec_at(&m->p->objects, object);
  bool tls = o->kind == OBJECT_TLS;
  uint32_t frame = tls ? 0 : m->s.threads[m->t].frames.len - 1;
  for (uint32_t i = m->facts->static_count; i < m->s.instances.len; i++) {
    const Instance *x = &m->s.instances.data[i];
    if (x->object == object && !x->dead && x->owner == m->t + 1 && x->frame == frame)
      return i;
  }
  uint32_t size = o->size && o->size < SIZE_UNKNOWN ? (uint32_t)o->size : SIZE_UNKNOWN;
  /* what the library keeps (without a place in the source) it fills itself */
  bool known = tls && o->loc && !(o->flags & OBJECT_EXTERNAL);
  uint32_t made = il_instance_new(m, object, size, known ? DEFAULT_INITIAL : DEFAULT_TOP);
  m->s.instances.data[made].owner = (uint8_t)(m->t + 1);
  m->s.instances.data[made].frame = frame;
  return made;
}

int il_eval_truth(AbsValue v) {
  if (abs_is_number(v)) return v.num != 0;
  return abs_is_top(v) ? -1 : 1;
}

/* ---- operators ---- */

/* A TOP made from these operands: an address among them is hidden from now on. */
static AbsValue lose(Machine *m, AbsValue a, AbsValue b) {
  if (abs_is_address(a) || abs_is_address(b)) m->s.lost = true;
  return abs_top();
}

static AbsValue shift_address(Machine *m, AbsValue base, AbsValue offset, bool minus) {
  if (abs_tag(base) == ABS_WITHIN) return base;
  if (!abs_is_number(offset))
    return abs_tag(base) == ABS_INSTANCE && !abs_is_address(offset)
               ? abs_make(ABS_WITHIN, abs_id(base), 0)
               : lose(m, base, offset);
  if (abs_tag(base) != ABS_INSTANCE) return abs_top();
  base.num = minus ? base.num - offset.num : base.num + offset.num;
  return base;
}

static bool is_inside(const Machine *m, AbsValue v) {
  if (abs_tag(v) == ABS_FUNCTION || abs_tag(v) == ABS_LABEL) return true;
  if (abs_tag(v) == ABS_THREAD)
    return m->s.threads[abs_id(v)].status == THREAD_LIVE ||
           m->s.threads[abs_id(v)].status == THREAD_STOPPED ||
           m->s.threads[abs_id(v)].status == THREAD_ENDED;
  if (abs_tag(v) != ABS_INSTANCE) return false;
  const Instance *i = &m->s.instances.data[abs_id(v)];
  bool merged = vec_at(&m->p->objects, i->object)->flags & OBJECT_LITERAL;
  return !i->dead && !merged && i->size != SIZE_UNKNOWN && v.num < i->size;
}

int il_equal(const Machine *m, AbsValue a, AbsValue b) {
  if (abs_is_top(a) || abs_is_top(b)) return -1;
  if (abs_is_number(a) && abs_is_number(b)) return a.num == b.num;
  if (abs_is_number(a) || abs_is_number(b)) {
    /* the origin of an address is not NULL; what other numbers mean is not known */
    AbsValue address = abs_is_number(a) ? b : a;
    uint64_t number = abs_is_number(a) ? a.num : b.num;
    bool far = abs_tag(address) != ABS_INSTANCE || (int64_t)address.num >= 0;
    return number == 0 && far ? 0 : -1;
  }
  if (abs_tag(a) == ABS_WITHIN || abs_tag(b) == ABS_WITHIN) {
    bool apart = abs_id(a) != abs_id(b) && abs_is_address(a) != abs_is_address(b);
    return apart ? 0 : -1;
  }
  if (a.base == b.base) return a.num == b.num;
  return is_inside(m, a) && is_inside(m, b) ? 0 : -1;
}

static AbsValue compare(Machine *m, const Expr *e, AbsValue a, AbsValue b) {
  if (e->kind == EXPR_EQ || e->kind == EXPR_NE) {
    int equal = il_equal(m, a, b);
    return equal < 0 ? abs_top() : abs_number((uint64_t)equal == (e->kind == EXPR_EQ));
  }
  if (a.base != b.base || abs_tag(a) != ABS_INSTANCE) return abs_top();
  switch ((ExprKind)e->kind) {
  case EXPR_ULT:
  case EXPR_SLT: return abs_number((int64_t)a.num < (int64_t)b.num);
  default: return abs_number((int64_t)a.num <= (int64_t)b.num);
  }
}

static bool is_comparison(const Expr *e) {
  return e->kind >= EXPR_EQ && e->kind <= EXPR_SLE;
}

static AbsValue with_address(Machine *m, const Expr *e, AbsValue a, AbsValue b) {
  bool wide = e->bits == 64;
  switch ((ExprKind)e->kind) {
  case EXPR_PTRADD: return shift_address(m, a, b, false);
  case EXPR_ADD: /* of integers: what is not known may lead to another object */
    if (!wide) break;
    if (!abs_is_number(a) && !abs_is_number(b)) return lose(m, a, b);
    return abs_is_number(a) || abs_is_top(a) ? shift_address(m, b, a, false)
                                             : shift_address(m, a, b, false);
  case EXPR_SUB:
    if (!wide) break;
    if (a.base == b.base && abs_tag(a) == ABS_INSTANCE) return abs_number(a.num - b.num);
    if (abs_is_address(a) && abs_is_address(b)) {
      m->strange = m->strange || abs_id(a) != abs_id(b);
      return abs_top();
    }
    return abs_is_number(b) ? shift_address(m, a, b, true) : lose(m, a, b);
  case EXPR_BITCAST: return wide ? a : lose(m, a, b);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
    return wide && program_expr(m->p, e->a)->bits == 64 ? a : lose(m, a, abs_top());
  default: break;
  }
  return lose(m, a, b);
}

/* Where one operand alone decides. */
static bool shortcut(const Expr *e, AbsValue a, AbsValue b, AbsValue *ret_value) {
  bool zero = (abs_is_number(a) && a.num == 0) || (abs_is_number(b) && b.num == 0);
  if ((e->kind == EXPR_AND || e->kind == EXPR_MUL) && zero) {
    *ret_value = abs_number(0);
    return true;
  }
  if (e->kind == EXPR_OR && e->bits == 1 &&
      ((abs_is_number(a) && a.num) || (abs_is_number(b) && b.num))) {
    *ret_value = abs_number(1);
    return true;
  }
  return false;
}

/* ---- the walk ---- */

static AbsValue eval_at(Machine *m, ExprId id, int depth);

static AbsValue eval_leaf(Machine *m, const Expr *e) {
  AbsThread *t = &m->s.threads[m->t];
  const ThreadFrame *f = vec_last(&t->frames);
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: return abs_number(e->value & value_mask(e->bits > 64 ? 64 : e->bits));
  case EXPR_LOCAL: {
    const Function *function = vec_at(&m->p->functions, f->function);
    return *vec_at(&t->regs, f->regs + ((LocalId)e->data - function->first_local));
  }
  case EXPR_OBJECT:
    return abs_make(ABS_INSTANCE, il_instance_of(m, (ObjectId)e->data), 0);
  case EXPR_FUNC: return abs_make(ABS_FUNCTION, (uint32_t)e->data, 0);
  case EXPR_LABEL: return abs_make(ABS_LABEL, (uint32_t)e->data, 0);
  default: return abs_top();
  }
}

static AbsValue eval_ite(Machine *m, const Expr *e, int depth) {
  int truth = il_eval_truth(eval_at(m, e->a, depth + 1));
  if (truth >= 0) return eval_at(m, truth ? e->b : e->c, depth + 1);
  AbsValue b = eval_at(m, e->b, depth + 1), c = eval_at(m, e->c, depth + 1);
  return abs_equal(b, c) ? b : lose(m, b, c);
}

static AbsValue eval_inner(Machine *m, const Expr *e, int depth) {
  if (e->kind == EXPR_ITE) return eval_ite(m, e, depth);
  int n = expr_operand_count((ExprKind)e->kind);
  AbsValue a = eval_at(m, e->a, depth + 1);
  AbsValue b = n > 1 ? eval_at(m, e->b, depth + 1) : abs_number(0);
  AbsValue c = n > 2 ? eval_at(m, e->c, depth + 1) : abs_number(0), value;
  if (e->bits > 64 || program_expr(m->p, e->a)->bits > 64 ||
      (n > 1 && program_expr(m->p, e->b)->bits > 64))
    return lose(m, a, b);
  if (abs_is_number(a) && abs_is_number(b) && abs_is_number(c))
    return abs_compute(m->p, e, a, b, c);
  if (is_comparison(e)) return compare(m, e, a, b);
  if (n == 2 && shortcut(e, a, b, &value)) return value;
  if (abs_tag(a) || abs_tag(b)) return with_address(m, e, a, b);
  return abs_top();
}

static AbsValue eval_at(Machine *m, ExprId id, int depth) {
  const Expr *e = program_expr(m->p, id);
  if (!expr_operand_count((ExprKind)e->kind)) return eval_leaf(m, e);
  if (m->memo_stamp[id] == m->stamp) return m->memo[id];
  if (depth > MAX_DEPTH) {
    m->s.lost = true;
    return abs_top();
  }
  AbsValue v = eval_inner(m, e, depth);
  m->memo[id] = v;
  m->memo_stamp[id] = m->stamp;
  return v;
}

AbsValue il_eval(Machine *m, ExprId e) {
  return e ? eval_at(m, e, 0) : abs_number(0);
}
