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

/* ---- blocks of the heap ---- */

static uint64_t constant_argument(const Program *p, const Edge *e, uint32_t number) {
  if (number >= e->arg_count) return 0;
  const Expr *x = program_expr(p, vec_at(&p->args, e->first_arg + number)->value);
  return x->kind == EXPR_CONST ? x->value : 0;
}

/* How many bytes the program says that an object of this place of allocation has; 0: unknown. */
static uint64_t block_bytes(const Program *p, ObjectId object) {
  const Object *o = vec_at(&p->objects, object);
  const Edge *e = o->kind == OBJECT_HEAP && o->site ? program_edge(p, o->site) : NULL;
  if (!e || e->op != OP_CALL || e->aux != object) return 0;
  const Expr *callee = program_expr(p, e->a);
  if (callee->kind != EXPR_FUNC) return 0;
  const Function *f = vec_at(&p->functions, (FuncId)callee->data);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    if (x->kind != EFFECT_ALLOC || x->extent != EXTENT_ARG) continue;
    uint64_t size = constant_argument(p, e, x->size);
    uint64_t times = x->times ? constant_argument(p, e, x->times - 1u) : 1;
    uint64_t scale = x->scale ? x->scale : 1;
    if (!size || !times || size > UINT32_MAX || times > UINT32_MAX / size) return 0;
    return size * times * scale;
  }
  return 0;
}

uint32_t single_step(const Program *p, const PointsTo *pointsto, AObject object,
                     uint32_t offset) {
  uint32_t step = pointsto_place_step(pointsto, object, offset);
  uint64_t block = step ? block_bytes(p, pointsto_object(pointsto, object)) : 0;
  return block && block <= step ? 0 : step;
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
