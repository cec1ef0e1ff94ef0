/* See pointer_limits.h. One pass over the edges that may run; an expression is looked at
 * once, with the first edge that mentions it. */
#include "engine/pointer_limits.h"

#include <string.h>

typedef struct {
  const PointsTo *pt;
  const Program *p;
  CheckResult *result;
  Map seen;    /* expressions */
  Map walking; /* locals that are moved by themselves: p++ */
} Search;

/* ---- distances ---- */

static bool is_address_as_number(const Program *p, ExprId id) {
  const Expr *x = program_expr(p, id);
  return x->kind == EXPR_BITCAST && program_expr(p, x->a)->sort == SORT_PTR;
}

static bool has_object(const Targets *targets, AObject object) {
  for (uint32_t i = 0; i < targets->count; i++)
    if (!targets->targets[i].function && targets->targets[i].object == object)
      return true;
  return false;
}

static bool is_within(const Targets *inner, const Targets *outer) {
  for (uint32_t i = 0; i < inner->count; i++)
    if (!inner->targets[i].function && !has_object(outer, inner->targets[i].object))
      return false;
  return true;
}

/* Both may designate something, and not the same objects. */
static bool crosses_objects(const Search *s, const Expr *difference) {
  Targets a = pointsto_expr(s->pt, program_expr(s->p, difference->a)->a);
  Targets b = pointsto_expr(s->pt, program_expr(s->p, difference->b)->a);
  return a.count && b.count && !(is_within(&a, &b) && is_within(&b, &a));
}

static void visit_expr(Search *s, EdgeId edge, ExprId id) {
  if (!id || map_get(&s->seen, id)) return;
  map_put(&s->seen, id, 1);
  const Expr *x = program_expr(s->p, id);
  if (x->kind == EXPR_SUB && is_address_as_number(s->p, x->a) &&
      is_address_as_number(s->p, x->b) && crosses_objects(s, x))
    result_assume(
        s->result,
        "the distance between pointers into different objects is not added to a "
        "pointer",
        place_of_edge(s->p, edge));
  const ExprId operands[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    visit_expr(s, edge, operands[i]);
}

/* ---- arrays at the beginning of structures ---- */

/* At `offset` of the type a structure begins with an array of elements of this size, and has
 * more members behind it. */
static bool begins_with_array(const Program *p, TypeId id, uint64_t offset, uint32_t size,
                              int depth) {
  enum { DEEP = 16 };
  const Type *type = &p->types.data[type_resolve(p, id)];
  if (depth > DEEP) return false;
  if (type->kind == TYPE_ARRAY) {
    uint64_t element = p->types.data[type_resolve(p, type->elem)].size;
    return element && begins_with_array(p, type->elem, offset % element, size, depth + 1);
  }
  if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION) return false;
  for (uint32_t i = 0; i < type->field_count; i++) {
    const Field *f = &p->fields.data[type->first_field + i];
    const Type *inner = &p->types.data[type_resolve(p, f->type)];
    uint64_t at = f->bit_offset / 8;
    bool array = inner->kind == TYPE_ARRAY && inner->size < type->size;
    if (type->kind == TYPE_STRUCT && array && !at && !offset &&
        p->types.data[type_resolve(p, inner->elem)].size == size)
      return true;
    if (offset >= at && offset < at + inner->size &&
        begins_with_array(p, f->type, offset - at, size, depth + 1))
      return true;
  }
  return false;
}

/* In the source's words the pointer is a variable, no member: `p[i]`, `*p`. Behind a member
 * the array that is meant is told. */
static bool is_plain_pointer(const char *path) {
  return *path && !strchr(path, '.') && !strstr(path, "->");
}

/* The address is moved by a number that is not known here. */
static bool moves(const Search *s, ExprId address) {
  const Expr *x = program_expr(s->p, address);
  if (x->kind == EXPR_LOCAL) return map_get(&s->walking, x->data);
  return x->kind == EXPR_PTRADD && program_expr(s->p, x->b)->kind != EXPR_CONST;
}

static void visit_access(Search *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  bool access =
      e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
  if (!access || e->size < 2 || !moves(s, e->a) ||
      !is_plain_pointer(sym_text(s->p, e->path)))
    return;
  Targets targets = pointsto_expr(s->pt, e->a);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *t = &targets.targets[i];
    ObjectId object = t->function ? 0 : pointsto_object(s->pt, t->object);
    if (!object || t->offset == OFFSET_ANY) continue;
    const Object *o = &s->p->objects.data[object];
    if (!begins_with_array(s->p, o->type, t->offset, e->size, 0)) continue;
    result_assume(
        s->result,
        "a pointer to the array that a structure begins with stays in that array",
        place_of_edge(s->p, id));
    return;
  }
}

/* ---- the way through ---- */

static void note_walking(Search *s, const Function *f) {
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(s->p, f->first_edge + i);
    if (e->op != OP_ASSIGN || !e->dst) continue;
    const Expr *x = program_expr(s->p, e->a);
    if (x->kind != EXPR_PTRADD) continue;
    const Expr *base = program_expr(s->p, x->a);
    if (base->kind == EXPR_LOCAL) {
      map_put(&s->walking, e->dst, 1);
      map_put(&s->walking, base->data, 1);
    }
  }
}

static void visit(Search *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  visit_expr(s, id, e->a);
  visit_expr(s, id, e->b);
  visit_expr(s, id, e->c);
  for (uint32_t i = 0; i < e->arg_count; i++)
    visit_expr(s, id, vec_at(&s->p->args, e->first_arg + i)->value);
  visit_access(s, id);
}

void pointer_limits_list(const PointsTo *pointsto, CheckResult *r) {
  Search s = {.pt = pointsto, .p = r->program, .result = r};
  if (!pointsto) return;
  for (FuncId f = 1; f < s.p->functions.len; f++) {
    const Function *function = &s.p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(pointsto, f))
      continue;
    note_walking(&s, function);
    for (uint32_t i = 0; i < function->edge_count; i++)
      visit(&s, function->first_edge + i);
  }
  map_free(&s.seen);
  map_free(&s.walking);
}
