/* Where objects and functions lie. See model_internal.h.
 *
 * The numbers are the model's own: what a program can do with addresses is to compare them for being the same,
 * and to go through them to what lies there. Who takes one for a number, or asks which is the smaller, gets any
 * answer (model_value.c). What lies behind the end of an object nobody knows, so whether the end of one is the
 * beginning of another is any answer, too. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"

enum { OBJECT_SHIFT = 32, FUNCTION_SHIFT = 8 };
#define OBJECT_BASE   (UINT64_C(1) << 61)
#define FUNCTION_BASE (UINT64_C(1) << 62)

/* There is one of it, and nothing else lies there: objects that are defined elsewhere may be one under
 * two names, and literals may be one. Of those of a place of allocation it is one, whichever (model_heap.c). */
static bool has_address(const Program *p, const PointsTo *pt, ObjectId object) {
  bool heap = p->objects.data[object].kind == OBJECT_HEAP;
  return (heap || single_object(p, pt, object)) &&
         !(p->objects.data[object].flags & (OBJECT_LITERAL | OBJECT_EXTERNAL));
}

/* A number that differs from those of other objects and from NULL. */
Term circ_address(CircMaker *x, ObjectId object) {
  const uint64_t *known = x->m->question.objects;
  if (!known && has_address(x->p, x->pt, object))
    return term_const(x->t, 64, OBJECT_BASE | (uint64_t)object << OBJECT_SHIFT);
  if (x->p->objects.data[object].flags & OBJECT_LITERAL) return 0;
  if (known && known[object] && x->p->objects.data[object].kind == OBJECT_GLOBAL)
    return term_const(x->t, 64, known[object]);
  return 0;
}

bool circ_address_means(const CircModel *m, uint64_t address, CircMeans *ret) {
  const Program *p = m->question.program;
  *ret = (CircMeans){0};
  if (m->question.objects || m->question.functions) return false;
  if (address & FUNCTION_BASE) {
    uint64_t function = (address & ~FUNCTION_BASE) >> FUNCTION_SHIFT;
    if (!function || function >= p->functions.len ||
        address != (FUNCTION_BASE | function << FUNCTION_SHIFT))
      return false;
    ret->function = (FuncId)function;
    return true;
  }
  uint64_t object = (address & ~OBJECT_BASE) >> OBJECT_SHIFT;
  if (!(address & OBJECT_BASE) || !object || object >= p->objects.len) return false;
  ret->object = (ObjectId)object;
  ret->offset = address & UINT32_MAX;
  const Object *o = &p->objects.data[object];
  return has_address(p, m->question.pointsto, ret->object) &&
         (o->kind == OBJECT_HEAP || ret->offset <= o->size);
}

bool circ_address_moved(const CircModel *m, Term t, CircMoved *ret) {
  const Terms *terms = m->terms;
  if (term_kind(terms, t) != TERM_CONCAT || term_bits(terms, t) != 64) return false;
  Term high = term_operand(terms, t, 0);
  uint64_t number;
  CircMeans means;
  *ret = (CircMoved){.low = term_operand(terms, t, 1)};
  if (term_kind(terms, high) == TERM_ADD) {
    bool second = term_kind(terms, term_operand(terms, high, 1)) == TERM_CONST;
    ret->high = term_operand(terms, high, second ? 0 : 1);
    high = term_operand(terms, high, second ? 1 : 0);
  }
  if (!term_get_const(terms, high, &number)) return false;
  ret->address = number << term_bits(terms, ret->low);
  return circ_address_means(m, ret->address, &means);
}

Term circ_function(CircMaker *x, FuncId function) {
  const uint64_t *known = x->m->question.functions;
  uint64_t number = FUNCTION_BASE | (uint64_t)function << FUNCTION_SHIFT;
  return term_const(x->t, 64, known ? known[function] : number);
}

/* ---- ends of objects ---- */

/* Where a pointer is moved to may be behind the last byte of what it points to. Points-to keeps it as a pointer
 * to an element, if it is an array that the pointer moves in; otherwise it forgets it: *ret_lost. */
static bool may_leave(const CircMaker *x, const Target *t, const Expr *by,
                      bool *ret_lost) {
  ObjectId object = t->function ? 0 : pointsto_object(x->pt, t->object);
  if (!object || t->offset == OFFSET_ANY || by->kind != EXPR_CONST ||
      pointsto_place_step(x->pt, t->object, t->offset) != 0)
    return true;
  bool outside = t->offset + by->value >= x->p->objects.data[object].size;
  *ret_lost = *ret_lost || outside;
  return outside;
}

/* Objects whose end some pointer of the program may be. */
void circ_ends_find(CircMaker *x) {
  const Program *p = x->p;
  x->ends = arena_alloc_zero(x->arena, p->objects.len + 1);
  for (ExprId id = 1; id < p->exprs.len; id++) {
    const Expr *e = program_expr(p, id);
    if (e->kind != EXPR_PTRADD) continue;
    Targets base = pointsto_expr(x->pt, e->a);
    x->any_end = x->any_end || base.unknown;
    for (uint32_t i = 0; i < base.count; i++) {
      const Target *t = &base.targets[i];
      if (may_leave(x, t, program_expr(p, e->b), &x->any_end) && !t->function)
        x->ends[pointsto_object(x->pt, t->object)] = 1;
    }
  }
}

static bool may_be_end(const CircMaker *x, const Target *t) {
  ObjectId object = t->function ? 0 : pointsto_object(x->pt, t->object);
  return object && x->ends[object];
}

/* One may be the end of an object, the other a place of another one: they may be the same. */
static bool may_adjoin(const CircMaker *x, Targets a, Targets b) {
  if (x->any_end || a.unknown || b.unknown) return a.count || b.count;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++)
      if (a.targets[i].object != b.targets[k].object &&
          (may_be_end(x, &a.targets[i]) || may_be_end(x, &b.targets[k])))
        return true;
  return false;
}

/* NULL lies nowhere. Which numbers addresses are nobody knows. */
static bool is_open_number(const CircMaker *x, const Expr *number, ExprId other) {
  return number->value && program_expr(x->p, other)->sort != SORT_PTR &&
         circ_may_be_address(x, other);
}

bool circ_equal_is_open(const CircMaker *x, ExprId a, ExprId b) {
  const Expr *one = program_expr(x->p, a), *two = program_expr(x->p, b);
  if (one->kind == EXPR_CONST) return is_open_number(x, one, b);
  if (two->kind == EXPR_CONST) return is_open_number(x, two, a);
  return may_adjoin(x, pointsto_expr(x->pt, a), pointsto_expr(x->pt, b));
}

bool circ_is_open(const CircMaker *x, const CircPlaces *at, ExprId with) {
  Targets other = pointsto_expr(x->pt, with);
  const Expr *e = program_expr(x->p, with);
  bool null = e->kind == EXPR_CONST && !e->value;
  bool number = e->sort != SORT_PTR && !null && !circ_may_be_address(x, with);
  for (uint32_t i = 0; i < at->count; i++) {
    const CircCell *c = at->list[i].cell;
    if (c->address && !null &&
        (number || may_adjoin(x, pointsto_content(x->pt, c->object, c->offset), other)))
      return true;
  }
  return false;
}
