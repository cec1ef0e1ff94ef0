/* How an id vanishes. See rejoined_internal.h.
 *
 * A thread that was joined can be joined again only where its id can be read again. It cannot if its
 * cell was freed, or if the loop that creates threads has gone through all cells among which it was:
 *
 *     for (i = 0; i < n; i++) pthread_create(&t[i], …);
 *
 * Behind its exit every t[k], 0 <= k < n, has the id of a new thread. On a way that is a phase: from
 * `i = 0` on all cells below i are filled (FILLING); the creation fills t[i] as well (ONE); `i + 1` goes
 * back to FILLING; any other change of i ends it. A creation whose result is looked at has filled its
 * cell only where the result was 0.
 *
 * And what never returns leads nowhere. */
#include "analysis/rejoined_internal.h"
#include "base/mem.h"

/* ---- calls that come back ---- */

static bool comes_back(const Rejoin *r, const Edge *e) {
  const Expr *callee = e->op == OP_CALL ? program_expr(r->p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC) return true;
  const Function *f = vec_at(&r->p->functions, (FuncId)callee->data);
  return !(f->flags & FUNCTION_DEFINED) || r->returns[callee->data];
}

static bool finds_return(const Rejoin *r, const Function *f) {
  uint8_t *seen = mem_alloc_zero(f->node_count + 1);
  VEC(NodeId) stack = {0};
  bool found = false;
  vec_push(&stack, f->entry);
  seen[f->entry - f->first_node] = 1;
  while (stack.len && !found) {
    NodeId node = vec_pop(&stack);
    for (EdgeId id = node_first_edge(r->p, node); id < node_end_edge(r->p, node); id++) {
      const Edge *e = program_edge(r->p, id);
      found = found || e->op == OP_RETURN;
      if (!e->to || seen[e->to - f->first_node] || !comes_back(r, e)) continue;
      seen[e->to - f->first_node] = 1;
      vec_push(&stack, e->to);
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return found;
}

void rejoin_find_returns(Rejoin *r) {
  r->returns = mem_alloc_zero(r->p->functions.len + 1);
  for (bool again = true; again;) {
    again = false;
    for (FuncId f = 1; f < r->p->functions.len; f++) {
      const Function *x = &r->p->functions.data[f];
      if (r->returns[f] || !(x->flags & FUNCTION_DEFINED) || !finds_return(r, x))
        continue;
      r->returns[f] = 1;
      again = true;
    }
  }
}

NodeId rejoin_next(const Rejoin *r, const Edge *e) {
  return comes_back(r, e) ? e->to : 0;
}

/* ---- cells that are freed ---- */

/* Ends the life of what the expression points to, and keeps no copy of it. */
bool rejoin_frees(const Rejoin *r, const Edge *e, ExprId root) {
  const Expr *callee = e->op == OP_CALL ? program_expr(r->p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC) return false;
  const Function *f = vec_at(&r->p->functions, (FuncId)callee->data);
  if (f->effect_count != 1 || (f->flags & FUNCTION_DEFINED)) return false;
  const Effect *x = vec_at(&r->p->effects, f->first_effect);
  return x->kind == EFFECT_FREE && x->arg < e->arg_count &&
         vec_at(&r->p->args, e->first_arg + x->arg)->value == root;
}

/* ---- cells that are filled ---- */

static bool is_used(const Rejoin *r, ExprId id, LocalId local) {
  if (!id) return false;
  const Expr *x = program_expr(r->p, id);
  if (x->kind == EXPR_LOCAL) return x->data == local;
  const ExprId operands[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    if (is_used(r, operands[i], local)) return true;
  return false;
}

static bool edge_uses(const Rejoin *r, const Edge *e, LocalId local) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (is_used(r, vec_at(&r->p->args, e->first_arg + i)->value, local)) return true;
  return is_used(r, e->a, local) || is_used(r, e->b, local) || is_used(r, e->c, local);
}

/* How many edges of the function use the local, those with the operation `but` not counted. */
static uint32_t uses(const Rejoin *r, const Function *f, LocalId local, uint8_t but) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    found += e->op != but && edge_uses(r, e, local);
  }
  return found;
}

/* What a call has returned, a new thread's id, goes into a cell, and nowhere else. */
bool rejoin_stores_new(const Rejoin *r, EdgeId id) {
  const Edge *e = program_edge(r->p, id);
  const Expr *value = e->op == OP_STORE ? program_expr(r->p, e->b) : NULL;
  if (!value || value->kind != EXPR_LOCAL || e->size != ID_BYTES) return false;
  FuncId function = vec_at(&r->p->nodes, e->from)->function;
  const Function *f = vec_at(&r->p->functions, function);
  return rejoin_returns_new(r, function, id, (LocalId)value->data) &&
         uses(r, f, (LocalId)value->data, OP_NOP) == 1;
}

/* The only way to learn whether the thread was created is a condition on its result. */
static bool is_fill(const Rejoin *r, const Function *f, EdgeId id) {
  const Edge *e = program_edge(r->p, id);
  if (e->op == OP_CREATE) return !e->dst || !uses(r, f, e->dst, OP_ASSUME);
  return rejoin_stores_new(r, id);
}

static void add_fill(Fills *fills, ExprId address, LocalId counter) {
  for (uint32_t i = 0; i < fills->count; i++)
    if (fills->list[i].address == address) return;
  if (fills->count < MOST_FILLS)
    fills->list[fills->count++] = (Fill){.address = address, .counter = counter};
}

void rejoin_find_fills(const Rejoin *r, const Taker *first, Fills *ret) {
  const Function *f = vec_at(&r->p->functions, first->function);
  *ret = (Fills){0};
  if (first->place.from != FROM_CELL || first->late || !first->place.index ||
      !rejoin_range(r, first, &ret->range))
    return;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    EdgeId id = f->first_edge + i;
    const Edge *e = program_edge(r->p, id);
    if (e->op != OP_CREATE && e->op != OP_STORE) continue;
    IdPlace place = rejoin_place_at(r, e->a);
    if (place.from == FROM_CELL && place.root == first->place.root && place.index &&
        place.offset == first->place.offset && place.stride == first->place.stride &&
        is_fill(r, f, id))
      add_fill(ret, e->a, place.index);
  }
}

/* The counter has come to the bound of all cells among which the id was. */
static bool is_exit(const Rejoin *r, const Range *range, const Edge *e, LocalId counter) {
  Range tested;
  return e->op == OP_ASSUME && rejoin_is_at_least(r, e->a, counter, &tested) &&
         (range->bound ? tested.bound == range->bound &&
                             (tested.order == range->order || tested.order == EXPR_EQ)
                       : !tested.bound && tested.high >= range->high);
}

static uint32_t filled_by(const Rejoin *r, const Fills *fills, EdgeId id) {
  const Edge *e = program_edge(r->p, id);
  for (uint32_t k = 0; k < fills->count; k++)
    if (e->a == fills->list[k].address &&
        (e->op == OP_CREATE || (e->op == OP_STORE && rejoin_stores_new(r, id))))
      return k + 1;
  return 0;
}

static uint32_t begun_by(const Rejoin *r, const Fills *fills, const Edge *e) {
  const Expr *v = e->op == OP_ASSIGN ? program_expr(r->p, e->a) : NULL;
  if (!v || v->kind != EXPR_CONST || (int64_t)v->value > fills->range.low) return 0;
  for (uint32_t k = 0; k < fills->count; k++)
    if (e->dst == fills->list[k].counter) return k + 1;
  return 0;
}

/* The condition is: the local is 0. */
static bool is_zero(const Rejoin *r, ExprId condition, LocalId local) {
  const Expr *c = program_expr(r->p, condition);
  if (c->kind != EXPR_EQ) return false;
  const Expr *x = program_expr(r->p, c->a), *y = program_expr(r->p, c->b);
  return x->kind == EXPR_LOCAL && x->data == local && y->kind == EXPR_CONST && !y->value;
}

/* The result of one of its creations may be an error there. */
static bool is_refused(const Rejoin *r, const Fill *fill, const Edge *e) {
  if (e->op != OP_ASSUME) return false;
  const Function *f = vec_at(&r->p->functions, vec_at(&r->p->nodes, e->from)->function);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *create = program_edge(r->p, f->first_edge + i);
    if (create->op == OP_CREATE && create->a == fill->address && create->dst &&
        is_used(r, e->a, create->dst) && !is_zero(r, e->a, create->dst))
      return true;
  }
  return false;
}

FillPhase rejoin_fill(const Rejoin *r, const Fills *fills, EdgeId id, FillPhase phase) {
  const Edge *e = program_edge(r->p, id);
  const Fill *fill = phase.fill ? &fills->list[phase.fill - 1] : NULL;
  LocalId bound = fills->range.bound ? fills->range.local : 0;
  if (bound && (e->dst == bound || e->dst2 == bound)) return (FillPhase){.over = true};
  if (fill && !phase.one && is_exit(r, &fills->range, e, fill->counter))
    return (FillPhase){.all = true};
  if (fill && filled_by(r, fills, id) == phase.fill)
    return (FillPhase){.fill = phase.fill, .one = true};
  if (fill && phase.one && is_refused(r, fill, e)) return (FillPhase){0};
  if (fill && (e->dst == fill->counter || e->dst2 == fill->counter)) {
    if (phase.one && rejoin_counts(r, e, fill->counter) == 1)
      return (FillPhase){.fill = phase.fill};
    phase = (FillPhase){0};
  }
  uint32_t begun = begun_by(r, fills, e);
  return begun ? (FillPhase){.fill = (uint8_t)begun} : phase;
}
