/* See single.h. */
#include "analysis/single.h"

#include "base/mem.h"
#include "base/vec.h"

bool single_object(const Program *p, const PointsTo *pointsto, ObjectId id) {
  const Object *o = vec_at(&p->objects, id);
  if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_LIBRARY) return true;
  const EdgeId *callers;
  return o->kind == OBJECT_STACK && o->owner == p->main && !(o->flags & OBJECT_DYNAMIC) &&
         pointsto_callers(pointsto, o->owner, &callers) == 0;
}

static const Field *field_at(const Program *p, const Type *t, uint64_t offset) {
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = &p->fields.data[t->first_field + i];
    if (f->bit_offset <= offset * 8 && offset * 8 < f->bit_offset + f->bit_size) return f;
  }
  return NULL;
}

bool single_offset(const Program *p, ObjectId object, uint64_t offset) {
  TypeId type = vec_at(&p->objects, object)->type;
  for (int depth = 0; depth < 64; depth++) {
    TypeId plain = type_resolve(p, type);
    if (!plain) return false;
    const Type *t = &p->types.data[plain];
    if (t->kind == TYPE_ARRAY) return false;
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) return true;
    if (offset == 0 && t->kind == TYPE_UNION)
      return true; /* a lock itself is a union in the C library */
    const Field *found = field_at(p, t, offset);
    if (!found) return false;
    offset -= found->bit_offset / 8;
    type = found->type;
  }
  return false;
}

bool single_target(const Program *p, const PointsTo *pointsto, ExprId address,
                   ObjectId *ret_object, uint32_t *ret_offset) {
  Targets t = pointsto_expr(pointsto, address);
  if (t.unknown || t.count != 1 || t.targets->function || t.targets->offset == OFFSET_ANY)
    return false;
  ObjectId object = pointsto_object(pointsto, t.targets->object);
  if (object != t.targets->object || !single_object(p, pointsto, object) ||
      !single_offset(p, object, t.targets->offset))
    return false;
  *ret_object = object;
  *ret_offset = t.targets->offset;
  return true;
}

/* ---- what runs once ---- */

bool single_in_activation(const Program *p, EdgeId edge) {
  const Edge *around = program_edge(p, edge);
  const Function *f = vec_at(&p->functions, vec_at(&p->nodes, around->from)->function);
  uint8_t *seen = mem_alloc_zero(f->node_count + 1);
  VEC(NodeId) stack = {0};
  if (around->to) vec_push(&stack, around->to);
  while (stack.len && !seen[around->from - f->first_node]) {
    NodeId n = vec_pop(&stack);
    if (seen[n - f->first_node]) continue;
    seen[n - f->first_node] = 1;
    for (EdgeId e = node_first_edge(p, n); e < node_end_edge(p, n); e++)
      if (program_edge(p, e)->to) vec_push(&stack, program_edge(p, e)->to);
  }
  bool again = seen[around->from - f->first_node];
  mem_free(seen);
  vec_free(&stack);
  return !again;
}

bool single_function(const Program *p, const PointsTo *pointsto, FuncId function) {
  enum { DEEPEST = 64 };
  for (uint32_t depth = 0; depth < DEEPEST; depth++) {
    const EdgeId *callers;
    uint32_t n = pointsto_callers(pointsto, function, &callers);
    for (uint32_t i = 1; i < p->constructors.len; i++)
      n += 2 * (p->constructors.data[i].function == function);
    for (uint32_t i = 1; i < p->destructors.len; i++)
      n += 2 * (p->destructors.data[i].function == function);
    if (function == p->main) return n == 0;
    const Edge *e = n == 1 ? program_edge(p, callers[0]) : NULL;
    if (!e || e->op != OP_CALL || program_expr(p, e->a)->kind != EXPR_FUNC) return false;
    function = vec_at(&p->nodes, e->from)->function;
    if (!single_in_activation(p, callers[0])) return false;
  }
  return false;
}

bool single_edge(const Program *p, const PointsTo *pointsto, EdgeId edge) {
  FuncId function = vec_at(&p->nodes, program_edge(p, edge)->from)->function;
  return single_in_activation(p, edge) && single_function(p, pointsto, function);
}
