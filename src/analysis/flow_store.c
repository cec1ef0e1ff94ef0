/* Which edges store to which cells, by what points-to says about their addresses: collected once,
 * before the first round. It is a guess where sizes do not fit or code is unknown; what is built
 * on it is checked by src/proof, which looks at every byte. */
#include "analysis/flow_internal.h"
#include "model/op_access.h"

enum { SEVERAL_STORES = UINT32_MAX };

static void mark_stored(Analyzer *a, ExprId address, EdgeId store) {
  Targets t = pointsto_expr(a->pt, address);
  a->stored_outside = a->stored_outside || t.unknown;
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    ObjectId object = pointsto_object(a->pt, t.targets[i].object);
    uint64_t *by = map_at(&a->stored_cells, (uint64_t)object << 32 | t.targets[i].offset);
    *by = *by == 0 || *by == store ? store : SEVERAL_STORES;
  }
}

/* What a function of the library writes to. */
static void mark_call(Analyzer *a, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  const Expr *callee = program_expr(a->p, edge->a);
  if (callee->kind != EXPR_FUNC) return;
  const Function *f = vec_at(&a->p->functions, callee->data);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&a->p->effects, f->first_effect + i);
    if (x->kind != EFFECT_WRITE && x->kind != EFFECT_STORE) continue;
    uint32_t first = x->arg == ARG_VARARGS ? f->param_count : x->arg;
    uint32_t end = x->arg == ARG_VARARGS ? edge->arg_count : first + 1;
    for (uint32_t k = first; k < end && k < edge->arg_count; k++)
      mark_stored(a, vec_at(&a->p->args, edge->first_arg + k)->value, e);
  }
}

/* Creations are not counted: they are what the others would disturb. */
void stores_note(Analyzer *a, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = edge->op == OP_CREATE ? 0 : op_accesses(a->p, edge, list);
  for (uint32_t i = 0; i < n; i++)
    if ((list[i].kind & OP_WRITES) && !(list[i].kind & OP_OBJECT))
      mark_stored(a, list[i].address, list[i].count ? SEVERAL_STORES : e);
  if (edge->op != OP_CALL) return;
  a->stored_outside = a->stored_outside || calls_outside(a, e);
  mark_call(a, e);
}

/* By a store whose target nobody knows, which may be any object that is known outside. */
static bool is_stored_outside(const Analyzer *a, ObjectId object) {
  return a->stored_outside && pointsto_escapes(a->pt, object);
}

bool cell_is_stored(Analyzer *a, ObjectId object, int64_t offset) {
  uint32_t folded = pointsto_fold_offset(a->pt, object, (uint64_t)offset);
  return is_stored_outside(a, object) ||
         map_find(&a->stored_cells, (uint64_t)object << 32 | folded, 0) ||
         map_find(&a->stored_cells, (uint64_t)object << 32 | OFFSET_ANY, 0);
}

bool bytes_are_stored(Analyzer *a, ObjectId object, int64_t offset, uint32_t size) {
  enum { FARTHEST = 4096 };
  const Map *cells = &a->stored_cells;
  if (offset < 0 || offset > FARTHEST || is_stored_outside(a, object) ||
      map_get(cells, (uint64_t)object << 32 | OFFSET_ANY))
    return true;
  for (uint32_t at = 0; at < offset + size; at++) {
    uint64_t by = map_find(cells, (uint64_t)object << 32 | at, 0);
    /* what is copied to a place before may reach as far as here */
    if (by && (at >= offset || by == SEVERAL_STORES)) return true;
  }
  return false;
}

bool only_store(Analyzer *a, Cell cell, EdgeId *ret) {
  uint32_t folded = pointsto_fold_offset(a->pt, cell.object, cell.offset);
  uint64_t by = map_find(&a->stored_cells, (uint64_t)cell.object << 32 | folded, 0);
  *ret = (EdgeId)by;
  return by != SEVERAL_STORES && !is_stored_outside(a, cell.object) &&
         !map_get(&a->stored_cells, (uint64_t)cell.object << 32 | OFFSET_ANY);
}
