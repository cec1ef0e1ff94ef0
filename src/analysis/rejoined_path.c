/* Ways from one join to the next. See rejoined_internal.h.
 *
 * Two of them have the same id if it was read once for both, or twice from one cell which no creation
 * has filled in between: a search over the nodes of the function and what has become of the cell since
 * the first reading. It is the same; its index was counted up, so it is another one; nobody knows; or it
 * was filled. And the second join must be possible behind the first. */
#include "analysis/rejoined_internal.h"
#include "base/mem.h"

typedef enum { CELL_SAME, CELL_MOVED, CELL_LOST, CELL_FILLED, CELL_STATES } CellState;

static bool assigns(const Edge *e, LocalId local) {
  return local && (e->dst == local || e->dst2 == local);
}

static LocalId root_local(const Rejoin *r, const IdPlace *place) {
  const Expr *x = place->from == FROM_CELL ? program_expr(r->p, place->root) : NULL;
  return x && x->kind == EXPR_LOCAL ? (LocalId)x->data : 0;
}

static bool allocates(const Edge *e) {
  return (e->op == OP_CALL || e->op == OP_ALLOCA) && e->aux;
}

bool rejoin_is_new(const Rejoin *r, FuncId function, LocalId local) {
  const Function *f = vec_at(&r->p->functions, function);
  if (vec_at(&r->p->locals, local)->flags & LOCAL_PARAM) return false;
  bool any = false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (!assigns(e, local)) continue;
    if (!allocates(e)) return false;
    any = true;
  }
  return any;
}

/* The local is counted up there by a constant. */
static bool counts_up(const Rejoin *r, const Edge *e, LocalId local) {
  const Expr *v = e->op == OP_ASSIGN ? program_expr(r->p, e->a) : NULL;
  if (!v || v->kind != EXPR_ADD) return false;
  const Expr *x = program_expr(r->p, v->a), *step = program_expr(r->p, v->b);
  return x->kind == EXPR_LOCAL && x->data == local && step->kind == EXPR_CONST &&
         step->value && step->value < INT32_MAX;
}

static CellState after(const Rejoin *r, const IdPlace *place, const Edge *e,
                       CellState cell) {
  LocalId root = root_local(r, place);
  if (assigns(e, root) && !(place->fixed && cell == CELL_MOVED))
    cell = allocates(e) ? CELL_FILLED : place->fixed ? cell : CELL_LOST;
  if (assigns(e, place->index))
    cell = counts_up(r, e, place->index) && (cell == CELL_SAME || cell == CELL_MOVED)
               ? CELL_MOVED
               : CELL_LOST;
  if (e->op == OP_CREATE && place->address && e->a == place->address) cell = CELL_FILLED;
  return cell;
}

/* The value of the condition if the local is 0: 0, 1 or -1 where that does not decide it. */
static int decided(const Rejoin *r, ExprId condition, LocalId local) {
  const Expr *c = program_expr(r->p, condition);
  if (c->kind == EXPR_LOCAL) return c->data == local ? 0 : -1;
  if (c->kind != EXPR_EQ && c->kind != EXPR_NE) return -1;
  const Expr *x = program_expr(r->p, c->a), *y = program_expr(r->p, c->b);
  if (x->kind != EXPR_LOCAL || x->data != local || y->kind != EXPR_CONST) return -1;
  return (y->value == 0) == (c->kind == EXPR_EQ);
}

typedef struct {
  NodeId node;
  uint8_t state; /* CellState, or whether a result is still there */
} Visit;

typedef struct {
  const Rejoin *r;
  const Function *f;
  VEC(Visit) stack;
  uint8_t *seen;
} Search;

static Search search_new(const Rejoin *r, FuncId function) {
  const Function *f = vec_at(&r->p->functions, function);
  return (Search){
      .r = r, .f = f, .seen = mem_alloc_zero((f->node_count + 1) * CELL_STATES)};
}

static void search_free(Search *s) {
  vec_free(&s->stack);
  mem_free(s->seen);
}

static void visit(Search *s, NodeId node, uint8_t state) {
  if (!node) return;
  uint8_t *seen = &s->seen[(node - s->f->first_node) * CELL_STATES + state];
  if (*seen) return;
  *seen = 1;
  vec_push(&s->stack, ((Visit){node, state}));
}

/* ---- values of an index ---- */

/* The condition is: the local is less than this constant. */
static bool is_less(const Rejoin *r, ExprId condition, LocalId local, int64_t *ret) {
  const Expr *c = program_expr(r->p, condition);
  if (c->kind != EXPR_SLT) return false;
  const Expr *x = program_expr(r->p, c->a), *y = program_expr(r->p, c->b);
  *ret = y->kind == EXPR_CONST && y->value <= INT32_MAX ? (int64_t)y->value : -1;
  return x->kind == EXPR_LOCAL && x->data == local && *ret >= 0;
}

/* Whoever comes from the setting of the index to the edge has found it less than this constant. */
static bool is_tested(const Rejoin *r, const Taker *t, EdgeId set, int64_t *high) {
  Search s = search_new(r, t->function);
  bool good = true;
  visit(&s, program_edge(r->p, set)->to, 0);
  while (s.stack.len && good) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      const Edge *edge = program_edge(r->p, e);
      int64_t limit;
      if (assigns(edge, t->place.index)) continue;
      if (e == t->load) good = false;
      if (edge->op == OP_ASSUME && is_less(r, edge->a, t->place.index, &limit))
        *high = limit > *high ? limit : *high;
      else
        visit(&s, edge->to, 0);
    }
  }
  search_free(&s);
  return good;
}

bool rejoin_range(const Rejoin *r, const Taker *t, int64_t *ret_low, int64_t *ret_high) {
  const Function *f = vec_at(&r->p->functions, t->function);
  *ret_low = INT32_MAX;
  *ret_high = 0;
  if (!t->place.index || (vec_at(&r->p->locals, t->place.index)->flags & LOCAL_PARAM))
    return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (!assigns(e, t->place.index)) continue;
    const Expr *v = e->op == OP_ASSIGN ? program_expr(r->p, e->a) : NULL;
    bool number = v && v->kind == EXPR_CONST && v->value <= INT32_MAX;
    if (number && (int64_t)v->value < *ret_low) *ret_low = (int64_t)v->value;
    if ((!number && !counts_up(r, e, t->place.index)) ||
        !is_tested(r, t, f->first_edge + i, ret_high))
      return false;
  }
  return true;
}

/* ---- the same id ---- */

/* On a way from the node, where this is known of the cell, the taker may read what was there before. */
static bool may_read(const Rejoin *r, NodeId from, CellState begins, bool late,
                     const Taker *taker) {
  Search s = search_new(r, taker->function);
  bool found = false;
  visit(&s, from, begins);
  while (s.stack.len && !found) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      CellState cell = (CellState)v.state;
      const Edge *edge = program_edge(r->p, e);
      if (late && cell == CELL_FILLED) cell = CELL_LOST;
      if (e == taker->load && (cell == CELL_SAME || cell == CELL_LOST)) found = true;
      visit(&s, edge->to, after(r, &taker->place, edge, cell));
    }
  }
  search_free(&s);
  return found;
}

/* What `first` has read may be found again where `second` reads. */
static bool reads_again(const Rejoin *r, const Taker *first, const Taker *second) {
  bool same_words = first->place.from == second->place.from && first->place.address &&
                    first->place.address == second->place.address;
  return may_read(r, program_edge(r->p, first->load)->to,
                  same_words ? CELL_SAME : CELL_LOST, first->late, second);
}

bool rejoin_fills_first(const Rejoin *r, const Taker *taker) {
  return !taker->late && taker->place.from == FROM_CELL &&
         !may_read(r, vec_at(&r->p->functions, taker->function)->entry, CELL_LOST, false,
                   taker);
}

/* There is a way from the one to the other, not along the edge `without`. */
static bool comes_behind(const Rejoin *r, const Taker *first, const Taker *second,
                         EdgeId without) {
  const Edge *from = program_edge(r->p, first->edge);
  LocalId result = from->dst;
  bool attempt = from->op == OP_JOIN && from->attempt != ATTEMPT_BLOCK && result;
  Search s = search_new(r, first->function);
  bool found = false;
  visit(&s, from->to, attempt);
  while (s.stack.len && !found) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      const Edge *edge = program_edge(r->p, e);
      if (e == without) continue;
      if (v.state && edge->op == OP_ASSUME && decided(r, edge->a, result) == 0) continue;
      if (e == second->edge) found = true;
      visit(&s, edge->to, v.state && !assigns(edge, result));
    }
  }
  search_free(&s);
  return found;
}

bool rejoin_follows(const Rejoin *r, const Taker *first, const Taker *second) {
  if (first->load == second->load && first->load != first->edge &&
      comes_behind(r, first, second, first->load))
    return true;
  /* what calls return are new threads, each time */
  if (first->place.from == FROM_CALL && second->place.from == FROM_CALL) return false;
  return comes_behind(r, first, second, 0) &&
         (reads_again(r, first, second) || reads_again(r, second, first));
}
