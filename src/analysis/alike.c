/* See alike.h. What is freed is told by touch.h; expressions are shared, so each is looked at once for the whole
 * program. A compare-and-exchange compares what its place may hold. */
#include "analysis/alike.h"

#include "analysis/touch.h"
#include "base/mem.h"
#include "model/expr.h"

typedef struct {
  const Program *p;
  const PointsTo *pt;
  uint8_t *freed; /* by key */
  uint8_t *seen;  /* by ExprId */
} Search;

static bool is_allocated(const Search *s, AObject object) {
  if (pointsto_object_kind(s->pt, object) == AOBJECT_ALLOCATED) return true;
  ObjectId o = pointsto_object(s->pt, object);
  return o && s->p->objects.data[o].kind == OBJECT_HEAP;
}

static void note_end(void *user, const Touch *touch) {
  Search *s = user;
  if (touch->kind & TOUCH_END) s->freed[touch->key] = 1;
}

/* Does it have an allocated object; of those only that are freed somewhere. */
static bool has(const Search *s, Targets targets, bool freed) {
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (!x->function && x->object != AOBJECT_UNKNOWN && is_allocated(s, x->object) &&
        (!freed || s->freed[touch_key(s->p, s->pt, x->object)]))
      return true;
  }
  return false;
}

/* The object whose end it is, or behind it, as it is written: &x + 1. Otherwise 0. */
static ObjectId ends(const Search *s, ExprId id) {
  const Expr *e = program_expr(s->p, id);
  uint64_t offset = 0;
  for (; e->kind != EXPR_OBJECT; e = program_expr(s->p, e->a)) {
    const Expr *by =
        e->kind == EXPR_PTRADD || e->kind == EXPR_ADD ? program_expr(s->p, e->b) : NULL;
    if (by ? by->kind != EXPR_CONST : e->kind != EXPR_BITCAST && e->kind != EXPR_ZEXT)
      return 0;
    if (by) offset += by->value;
  }
  const Object *object = vec_at(&s->p->objects, (ObjectId)e->data);
  return object->size && offset >= object->size ? (ObjectId)e->data : 0;
}

/* The end of an object and a place in another one, which may begin there. */
static bool meets_end(const Search *s, ExprId end, ExprId other) {
  ObjectId object = ends(s, end);
  Targets others = pointsto_expr(s->pt, other);
  for (uint32_t i = 0; i < others.count && object; i++)
    if (!others.targets[i].function &&
        pointsto_object(s->pt, others.targets[i].object) != object)
      return true;
  return false;
}

static bool may_be_reused(const Search *s, Targets a, Targets b) {
  return (has(s, a, true) && has(s, b, false)) || (has(s, a, false) && has(s, b, true));
}

static bool compares(const Expr *e) {
  return (e->kind >= EXPR_EQ && e->kind <= EXPR_SLE) || e->kind == EXPR_SUB;
}

static bool look(Search *s, ExprId id) {
  if (!id || s->seen[id]) return false;
  s->seen[id] = 1;
  const Expr *e = program_expr(s->p, id);
  int n = expr_operand_count((ExprKind)e->kind);
  if (compares(e) &&
      (may_be_reused(s, pointsto_expr(s->pt, e->a), pointsto_expr(s->pt, e->b)) ||
       meets_end(s, e->a, e->b) || meets_end(s, e->b, e->a)))
    return true;
  return (n > 0 && look(s, e->a)) || (n > 1 && look(s, e->b)) || (n > 2 && look(s, e->c));
}

static bool exchanges(const Search *s, const Edge *e) {
  Targets places = pointsto_expr(s->pt, e->a), expected = pointsto_expr(s->pt, e->b);
  for (uint32_t i = 0; i < places.count; i++) {
    const Target *x = &places.targets[i];
    if (!x->function && x->object != AOBJECT_UNKNOWN &&
        may_be_reused(s, pointsto_content(s->pt, x->object, x->offset), expected))
      return true;
  }
  return false;
}

static bool decides(Search *s, const Edge *e) {
  if (look(s, e->a) || look(s, e->b) || look(s, e->c)) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (look(s, vec_at(&s->p->args, e->first_arg + i)->value)) return true;
  return e->op == OP_CMPXCHG && exchanges(s, e);
}

/* The first edge of those that can be reached for which `visit` is true, or 0. */
static EdgeId find(Search *s, bool (*visit)(Search *, EdgeId)) {
  for (FuncId f = 1; f < s->p->functions.len; f++) {
    const Function *function = &s->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(s->pt, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      if (visit(s, function->first_edge + i)) return function->first_edge + i;
  }
  return 0;
}

static bool collect(Search *s, EdgeId id) {
  touch_visit(s->p, s->pt, id, note_end, s);
  return false;
}

static bool compare(Search *s, EdgeId id) {
  return decides(s, program_edge(s->p, id));
}

EdgeId alike_find(const Program *program, const PointsTo *pointsto) {
  Search s = {.p = program, .pt = pointsto};
  s.freed = mem_alloc_zero(touch_key_count(program, pointsto) + 1);
  s.seen = mem_alloc_zero(program->exprs.len + 1);
  find(&s, collect);
  EdgeId found = find(&s, compare);
  mem_free(s.freed);
  mem_free(s.seen);
  return found;
}
