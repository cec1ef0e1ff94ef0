/* Which cells ids are in, and what may write there. See rejoined_internal.h. */
#include "analysis/rejoined_internal.h"
#include "model/op_access.h"

/* What is stored there is no id, or a creation stored it. */
static bool stores_no_id(const Rejoin *r, EdgeId id) {
  const Edge *e = program_edge(r->p, id);
  return e->op == OP_CREATE || e->op == OP_FILL || e->op == OP_JOIN ||
         (e->op == OP_STORE && program_expr(r->p, e->b)->kind == EXPR_CONST) ||
         rejoin_stores_new(r, id);
}

/* An edge may put something there that is wide enough for an id. */
static void note_write(Rejoin *r, EdgeId edge, const Target *t, uint32_t size) {
  if (t->function) return;
  uint64_t *slot = map_at(&r->first_write, t->object);
  vec_push(&r->writes, ((IdWrite){edge, t->object, t->offset, size, (uint32_t)*slot}));
  *slot = r->writes.len;
}

static void note_writes(Rejoin *r, EdgeId edge) {
  const Edge *e = program_edge(r->p, edge);
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = stores_no_id(r, edge) ? 0 : op_accesses(r->p, e, list);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t size = list[i].count ? 0 : list[i].size;
    if (!(list[i].kind & OP_WRITES) || (list[i].kind & OP_OBJECT) ||
        (size && size < ID_BYTES))
      continue;
    Targets t = pointsto_expr(r->pt, list[i].address);
    r->writes_anywhere = r->writes_anywhere || t.unknown;
    for (uint32_t k = 0; k < t.count; k++) note_write(r, edge, &t.targets[k], size);
  }
}

/* ---- what the library copies ---- */

static uint64_t moved_to(const Rejoin *r, AObject object) {
  uint64_t at = pointsto_object(r->pt, object), next;
  while ((next = map_find(&r->moved, at, 0)) != 0) at = next;
  return at;
}

/* What realloc returns has the ids of what it was given. */
static void note_move(Rejoin *r, const Edge *e, ExprId from) {
  Targets t = pointsto_expr(r->pt, from);
  for (uint32_t i = 0; i < t.count; i++) {
    uint64_t old = t.targets[i].function ? 0 : moved_to(r, t.targets[i].object);
    uint64_t new = e->aux, next;
    while ((next = map_find(&r->moved, new, 0)) != 0) new = next;
    if (old && old != new) map_put(&r->moved, old, new);
  }
}

/* Memory is copied from one range to another; strings are no ids. */
static bool copies_range(const Rejoin *r, const Function *f, uint32_t *ret_to) {
  bool reads = false, writes = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&r->p->effects, f->first_effect + i);
    reads = reads || (x->kind == EFFECT_READ && x->extent == EXTENT_ARG);
    if (x->kind != EFFECT_WRITE || x->extent != EXTENT_ARG) continue;
    writes = true;
    *ret_to = x->arg;
  }
  return reads && writes;
}

static void note_call(Rejoin *r, EdgeId id) {
  const Edge *e = program_edge(r->p, id);
  const Expr *callee = e->op == OP_CALL ? program_expr(r->p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC) return;
  const Function *f = vec_at(&r->p->functions, (FuncId)callee->data);
  if (f->flags & FUNCTION_DEFINED) return;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&r->p->effects, f->first_effect + i);
    if (x->kind == EFFECT_ALLOC && x->other < e->arg_count && e->aux)
      note_move(r, e, vec_at(&r->p->args, e->first_arg + x->other)->value);
  }
  uint32_t to = 0;
  if (!copies_range(r, f, &to) || to >= e->arg_count) return;
  Targets t = pointsto_expr(r->pt, vec_at(&r->p->args, e->first_arg + to)->value);
  r->writes_anywhere = r->writes_anywhere || t.unknown;
  for (uint32_t k = 0; k < t.count; k++) note_write(r, id, &t.targets[k], 0);
}

static bool meets(const IdWrite *w, uint32_t offset) {
  return w->offset == OFFSET_ANY || offset == OFFSET_ANY || !w->size ||
         (w->offset < offset + ID_BYTES && offset < w->offset + w->size);
}

/* The next one behind the write number `at` - 1 (UINT32_MAX: the first) that meets the cell; 0: none. */
static uint32_t next_write(const Rejoin *r, AObject object, uint32_t offset,
                           uint32_t at) {
  at = at == UINT32_MAX ? (uint32_t)map_find(&r->first_write, object, 0)
                        : r->writes.data[at - 1].next;
  while (at && !meets(&r->writes.data[at - 1], offset)) at = r->writes.data[at - 1].next;
  return at;
}

static bool is_copied_to(const Rejoin *r, AObject object, uint32_t offset) {
  return (r->writes_anywhere && pointsto_escapes(r->pt, object)) ||
         next_write(r, object, offset, UINT32_MAX);
}

bool rejoin_has_own_ids(const Rejoin *r, const IdPlace *place) {
  if (place->from == FROM_PARAM || place->from == FROM_SELF) return true;
  if (!place->root) return false;
  Targets t = pointsto_expr(r->pt, place->root);
  if (t.unknown) return false;
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *x = &t.targets[i];
    if (x->function) continue;
    bool exact =
        place->from == FROM_CELL && x->offset != OFFSET_ANY && place->offset >= 0;
    uint32_t offset =
        exact ? pointsto_fold_offset(r->pt, x->object,
                                     (uint64_t)x->offset + (uint64_t)place->offset)
              : OFFSET_ANY;
    if (is_copied_to(r, x->object, offset)) return false;
  }
  return true;
}

static bool share_object(const Rejoin *r, ExprId x, ExprId y) {
  Targets a = pointsto_expr(r->pt, x), b = pointsto_expr(r->pt, y);
  /* sets that are as large as that are not worth the comparison */
  enum { MOST_PAIRS = 1 << 12 };
  if (a.unknown || b.unknown || (uint64_t)a.count * b.count > MOST_PAIRS) return true;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++)
      if (!a.targets[i].function && !b.targets[k].function &&
          (a.targets[i].object == b.targets[k].object ||
           (r->moved.len &&
            moved_to(r, a.targets[i].object) == moved_to(r, b.targets[k].object))))
        return true;
  return false;
}

bool rejoin_may_be_same(const Rejoin *r, const IdPlace *x, const IdPlace *y) {
  if (!x->root || !y->root) return true;
  if (x->from == FROM_CELL && y->from == FROM_CELL && x->root == y->root) {
    int64_t apart = x->offset > y->offset ? x->offset - y->offset : y->offset - x->offset;
    if (!x->index && !y->index) return apart < ID_BYTES;
    /* members of elements: one is at another place in each of them */
    if (x->index && y->index && x->stride == y->stride)
      return (uint64_t)apart % x->stride < ID_BYTES;
  }
  return share_object(r, x->root, y->root);
}

bool rejoin_has_fixed_root(const Rejoin *r, FuncId function, const IdPlace *place) {
  const Expr *x = place->from == FROM_CELL ? program_expr(r->p, place->root) : NULL;
  EdgeId setter =
      x && x->kind == EXPR_LOCAL ? rejoin_setter(r, function, (LocalId)x->data) : 0;
  if (!setter || program_edge(r->p, setter)->op != OP_LOAD) return false;
  Targets t = pointsto_expr(r->pt, program_edge(r->p, setter)->a);
  if (t.unknown || t.count != 1 || t.targets->function ||
      t.targets->offset == OFFSET_ANY || pointsto_escapes(r->pt, t.targets->object))
    return false;
  uint32_t at = UINT32_MAX;
  while ((at = next_write(r, t.targets->object, t.targets->offset, at)) != 0) {
    const Edge *e = program_edge(r->p, r->writes.data[at - 1].edge);
    const Expr *value = e->op == OP_STORE ? program_expr(r->p, e->b) : NULL;
    FuncId home = vec_at(&r->p->nodes, e->from)->function;
    if (!value || value->kind != EXPR_LOCAL ||
        !rejoin_is_new(r, home, (LocalId)value->data))
      return false;
  }
  return true;
}

void rejoin_find_writes(Rejoin *r) {
  for (FuncId f = 1; f < r->p->functions.len; f++) {
    const Function *x = &r->p->functions.data[f];
    if (!(x->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(r->pt, f)) continue;
    for (uint32_t i = 0; i < x->edge_count; i++) {
      note_writes(r, x->first_edge + i);
      note_call(r, x->first_edge + i);
    }
  }
}
