/* Which elements of an array an index means. See rejoined_internal.h.
 *
 * The index is set to a number, and counted up; and whoever comes from there to the reading has found
 * that it is less than a bound: a number, or a local that keeps its value until then. */
#include "analysis/rejoined_internal.h"
#include "base/mem.h"

static bool assigns(const Edge *e, LocalId local) {
  return local && (e->dst == local || e->dst2 == local);
}

/* The local itself, or what was copied from it directly before the edge. */
static bool is_local(const Rejoin *r, const Edge *e, ExprId id, LocalId local) {
  const Expr *x = program_expr(r->p, id);
  if (x->kind != EXPR_LOCAL) return false;
  if (x->data == local) return true;
  FuncId function = vec_at(&r->p->nodes, e->from)->function;
  EdgeId setter = rejoin_setter(r, function, (LocalId)x->data);
  const Edge *copy = setter ? program_edge(r->p, setter) : NULL;
  const Expr *from = copy && copy->op == OP_ASSIGN ? program_expr(r->p, copy->a) : NULL;
  return from && from->kind == EXPR_LOCAL && from->data == local &&
         rejoin_is_behind(r, function, setter, (EdgeId)(e - r->p->edges.data));
}

int64_t rejoin_counts(const Rejoin *r, const Edge *e, LocalId local) {
  const Expr *v = e->op == OP_ASSIGN && e->dst == local ? program_expr(r->p, e->a) : NULL;
  if (!v || (v->kind != EXPR_ADD && v->kind != EXPR_SUB) || v->bits > 64 || v->bits < 8)
    return 0;
  const Expr *step = program_expr(r->p, v->b);
  if (step->kind != EXPR_CONST || !is_local(r, e, v->a, local)) return 0;
  uint64_t top = UINT64_C(1) << (v->bits - 1);
  int64_t n = (int64_t)((step->value ^ top) - top); /* with its sign */
  if (v->kind == EXPR_SUB) n = -n;
  return n > INT32_MAX || n < -INT32_MAX ? 0 : n;
}

/* ---- bounds ---- */

static bool is_bound(const Rejoin *r, ExprId id, ExprKind order, Range *ret) {
  const Expr *x = program_expr(r->p, id);
  *ret = (Range){.order = (uint8_t)order};
  if (x->kind == EXPR_LOCAL) {
    ret->bound = id;
    ret->local = (LocalId)x->data;
    return true;
  }
  ret->high = x->kind == EXPR_CONST && x->value <= INT32_MAX ? (int64_t)x->value : -1;
  return ret->high >= 0;
}

static bool is_this(const Rejoin *r, ExprId id, LocalId local) {
  const Expr *x = program_expr(r->p, id);
  return x->kind == EXPR_LOCAL && x->data == local;
}

/* The condition is: the local is less than this. */
static bool is_less(const Rejoin *r, ExprId condition, LocalId local, Range *ret) {
  const Expr *c = program_expr(r->p, condition);
  return (c->kind == EXPR_SLT || c->kind == EXPR_ULT) && is_this(r, c->a, local) &&
         is_bound(r, c->b, (ExprKind)c->kind, ret);
}

bool rejoin_is_at_least(const Rejoin *r, ExprId condition, LocalId local, Range *ret) {
  const Expr *c = program_expr(r->p, condition);
  if (c->kind == EXPR_EQ)
    return is_this(r, c->a, local) && is_bound(r, c->b, EXPR_EQ, ret);
  if (c->kind != EXPR_SLE && c->kind != EXPR_ULE) return false;
  return is_this(r, c->b, local) &&
         is_bound(r, c->a, c->kind == EXPR_SLE ? EXPR_SLT : EXPR_ULT, ret);
}

/* Both hold: the larger number, or the same local. The first one is as it comes. */
static bool widen(Range *range, const Range *other) {
  if (!range->order) {
    int64_t low = range->low;
    *range = *other;
    range->low = low;
    return true;
  }
  if (range->bound != other->bound || (range->bound && range->order != other->order))
    return false;
  if (other->high > range->high) range->high = other->high;
  return true;
}

/* ---- ways ---- */

typedef struct {
  NodeId node;
  bool tested;
} Visit;

typedef struct {
  const Rejoin *r;
  const Function *f;
  VEC(Visit) stack;
  uint8_t *seen;
} Search;

static void visit(Search *s, NodeId node, bool tested) {
  if (!node) return;
  uint8_t *seen = &s->seen[(node - s->f->first_node) * 2 + tested];
  if (*seen) return;
  *seen = 1;
  vec_push(&s->stack, ((Visit){node, tested}));
}

/* Follows one edge; false: the reading is reached, or may be, without such a test. */
static bool follow(Search *s, const Taker *t, EdgeId id, bool tested, Range *range) {
  const Edge *e = program_edge(s->r->p, id);
  Range found;
  if (assigns(e, t->place.index)) return true;
  if (id == t->load) return tested;
  if (tested && assigns(e, range->local)) return false;
  if (!tested && e->op == OP_ASSUME && is_less(s->r, e->a, t->place.index, &found)) {
    if (!widen(range, &found)) return false;
    tested = true;
  }
  visit(s, e->to, tested);
  return true;
}

static bool is_tested(const Rejoin *r, const Taker *t, EdgeId set, Range *range) {
  const Function *f = vec_at(&r->p->functions, t->function);
  Search s = {.r = r, .f = f, .seen = mem_alloc_zero((f->node_count + 1) * 2)};
  bool good = true;
  visit(&s, program_edge(r->p, set)->to, false);
  while (s.stack.len && good) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node);
         e < node_end_edge(r->p, v.node) && good; e++)
      good = follow(&s, t, e, v.tested, range);
  }
  vec_free(&s.stack);
  mem_free(s.seen);
  return good;
}

bool rejoin_range(const Rejoin *r, const Taker *t, Range *ret) {
  const Function *f = vec_at(&r->p->functions, t->function);
  *ret = (Range){.low = INT32_MAX};
  if (!t->place.index || (vec_at(&r->p->locals, t->place.index)->flags & LOCAL_PARAM))
    return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (!assigns(e, t->place.index)) continue;
    const Expr *v = e->op == OP_ASSIGN ? program_expr(r->p, e->a) : NULL;
    bool number = v && v->kind == EXPR_CONST && v->value <= INT32_MAX;
    if (number && (int64_t)v->value < ret->low) ret->low = (int64_t)v->value;
    if ((!number && rejoin_counts(r, e, t->place.index) <= 0) ||
        !is_tested(r, t, f->first_edge + i, ret))
      return false;
  }
  return true;
}
