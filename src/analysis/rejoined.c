/* See rejoined.h. What takes an id is looked at where it happens, and then, if the cell may be known
 * to the callers, as something that the call does: in the end all that concerns one cell stands in one
 * function, of which one run is enough to look at. */
#include "analysis/rejoined_internal.h"
#include "base/mem.h"

enum { MOST_TAKERS = 512, MOST_ASSIGNMENTS = 8 };

/* ---- places ---- */

EdgeId rejoin_setter(const Rejoin *r, FuncId function, LocalId local) {
  const Function *f = vec_at(&r->p->functions, function);
  EdgeId found = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (e->dst != local && e->dst2 != local) continue;
    if (found) return 0;
    found = f->first_edge + i;
  }
  return vec_at(&r->p->locals, local)->flags & LOCAL_PARAM ? 0 : found;
}

/* A parameter that keeps the value that was passed. */
static bool is_fixed_param(const Rejoin *r, FuncId function, LocalId local) {
  const Function *f = vec_at(&r->p->functions, function);
  if (!(vec_at(&r->p->locals, local)->flags & LOCAL_PARAM)) return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (e->dst == local || e->dst2 == local) return false;
  }
  return true;
}

static ExprId strip_extension(const Rejoin *r, ExprId id) {
  const Expr *e = program_expr(r->p, id);
  for (; e->kind == EXPR_SEXT || e->kind == EXPR_ZEXT; e = program_expr(r->p, id))
    id = e->a;
  return id;
}

IdPlace rejoin_place_at(const Rejoin *r, ExprId address) {
  IdPlace place = {.from = FROM_CELL, .root = address, .address = address};
  for (;;) {
    const Expr *e = program_expr(r->p, place.root);
    if (e->kind != EXPR_PTRADD) break;
    const Expr *by = program_expr(r->p, e->b);
    place.root = e->a;
    if (by->kind == EXPR_CONST) {
      place.offset += (int64_t)by->value;
      continue;
    }
    const Expr *i =
        by->kind == EXPR_MUL ? program_expr(r->p, strip_extension(r, by->a)) : NULL;
    if (place.index || !i || i->kind != EXPR_LOCAL ||
        program_expr(r->p, by->b)->kind != EXPR_CONST)
      return (IdPlace){.from = FROM_ANYWHERE, .root = address};
    place.index = (LocalId)i->data;
    place.stride = program_expr(r->p, by->b)->value;
  }
  uint8_t kind = program_expr(r->p, place.root)->kind;
  bool cell = kind == EXPR_OBJECT || kind == EXPR_LOCAL;
  return cell && (!place.index || place.stride >= ID_BYTES)
             ? place
             : (IdPlace){.from = FROM_ANYWHERE, .root = address};
}

bool rejoin_is_behind(const Rejoin *r, FuncId function, EdgeId first, EdgeId second) {
  const Function *f = vec_at(&r->p->functions, function);
  NodeId node = program_edge(r->p, second)->from;
  uint32_t ways = 0;
  for (uint32_t i = 0; i < f->edge_count; i++)
    ways += program_edge(r->p, f->first_edge + i)->to == node;
  return ways == 1 && program_edge(r->p, first)->to == node && node != f->entry;
}

static IdPlace place_of(const Rejoin *r, FuncId function, ExprId id, uint32_t depth,
                        EdgeId *ret_load);

/* The cell, of the function's own, from which it returns the id of a new thread; or 0. */
static ExprId returned_cell(const Rejoin *r, FuncId function, uint32_t depth) {
  const Function *f = vec_at(&r->p->functions, function);
  ExprId found = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (e->op != OP_RETURN) continue;
    EdgeId load;
    IdPlace place = e->a ? place_of(r, function, e->a, depth, &load) : (IdPlace){0};
    const Expr *root = place.root ? program_expr(r->p, place.root) : NULL;
    bool own = root && root->kind == EXPR_OBJECT && !place.index &&
               vec_at(&r->p->objects, (ObjectId)root->data)->kind == OBJECT_STACK;
    if ((place.from != FROM_CELL && place.from != FROM_CALL) || !own ||
        (found && found != place.root))
      return 0;
    found = place.root;
  }
  return found;
}

static IdPlace place_by(const Rejoin *r, EdgeId setter, ExprId local, uint32_t depth) {
  const Edge *e = program_edge(r->p, setter);
  const Expr *callee = e->op == OP_CALL ? program_expr(r->p, e->a) : NULL;
  if (e->op == OP_SELF) return (IdPlace){.from = FROM_SELF};
  if (e->op == OP_LOAD) return rejoin_place_at(r, e->a);
  if (!callee || callee->kind != EXPR_FUNC || depth > MOST_ASSIGNMENTS ||
      !(vec_at(&r->p->functions, (FuncId)callee->data)->flags & FUNCTION_DEFINED))
    return (IdPlace){.from = FROM_ANYWHERE};
  ExprId cell = returned_cell(r, (FuncId)callee->data, depth + 1);
  return cell ? (IdPlace){.from = FROM_CALL, .root = cell, .address = local}
              : (IdPlace){.from = FROM_ANYWHERE};
}

/* Where the id comes from that the expression has in the function. */
static IdPlace place_of(const Rejoin *r, FuncId function, ExprId id, uint32_t depth,
                        EdgeId *ret_load) {
  EdgeId behind = 0;
  for (uint32_t i = 0; i < MOST_ASSIGNMENTS; i++) {
    const Expr *x = program_expr(r->p, id);
    for (; x->kind == EXPR_BITCAST; x = program_expr(r->p, id)) id = x->a;
    if (x->kind != EXPR_LOCAL) break;
    LocalId local = (LocalId)x->data;
    if (is_fixed_param(r, function, local))
      return (IdPlace){.from = FROM_PARAM, .root = id};
    EdgeId setter = rejoin_setter(r, function, local);
    if (!setter || (behind && !rejoin_is_behind(r, function, setter, behind))) break;
    if (program_edge(r->p, setter)->op != OP_ASSIGN) {
      *ret_load = setter;
      return place_by(r, setter, id, depth);
    }
    id = program_edge(r->p, setter)->a;
    behind = setter;
  }
  return (IdPlace){.from = FROM_ANYWHERE};
}

/* The cell of the callee's of which the call returns the content; 0: it returns another thing. */
static ExprId returned_by(const Rejoin *r, FuncId function, EdgeId edge, LocalId local) {
  EdgeId setter = rejoin_setter(r, function, local);
  if (!setter || program_edge(r->p, setter)->op != OP_CALL ||
      !rejoin_is_behind(r, function, setter, edge))
    return 0;
  IdPlace place = place_by(r, setter, 0, 0);
  return place.from == FROM_CALL ? place.root : 0;
}

bool rejoin_returns_new(const Rejoin *r, FuncId function, EdgeId edge, LocalId local) {
  return returned_by(r, function, edge, local) != 0;
}

/* What is stored by such an edge is in the callee's cell, too: whoever takes it from there takes a
 * thread that another one takes from the caller's cell, which no comparison of cells would tell. And
 * it must be new: no id may get there but by a creation. */
static void find_passed_on(Rejoin *r) {
  for (EdgeId id = 1; id < r->p->edges.len; id++) {
    if (!rejoin_stores_new(r, id)) continue;
    const Edge *e = program_edge(r->p, id);
    FuncId function = vec_at(&r->p->nodes, e->from)->function;
    vec_push(&r->passed_on,
             returned_by(r, function, id, (LocalId)program_expr(r->p, e->b)->data));
  }
  for (uint32_t i = 0; i < r->passed_on.len; i++) {
    IdPlace cell = {.from = FROM_ANYWHERE, .root = r->passed_on.data[i]};
    r->too_many = r->too_many || !rejoin_has_own_ids(r, &cell);
    for (uint32_t k = 0; k < r->takers.len && !r->too_many; k++) {
      const IdPlace *place = &r->takers.data[k].place;
      r->too_many = place->from != FROM_CALL && place->from != FROM_PARAM &&
                    place->from != FROM_SELF && rejoin_may_be_same(r, place, &cell);
    }
  }
}

/* ---- takers ---- */

static bool is_own(const Rejoin *r, const Taker *t) {
  if (t->place.from == FROM_CALL) return true;
  const Expr *x = t->place.from == FROM_CELL ? program_expr(r->p, t->place.root) : NULL;
  if (x && x->kind == EXPR_OBJECT)
    return vec_at(&r->p->objects, (ObjectId)x->data)->kind == OBJECT_STACK;
  return x && x->kind == EXPR_LOCAL && rejoin_is_new(r, t->function, (LocalId)x->data);
}

static void add(Rejoin *r, Taker taker) {
  for (uint32_t i = 0; i < r->takers.len; i++) {
    const Taker *x = &r->takers.data[i];
    if (x->edge == taker.edge && x->join == taker.join && x->late == taker.late &&
        x->inside == taker.inside && x->gone == taker.gone &&
        x->place.from == taker.place.from && x->place.root == taker.place.root &&
        x->place.offset == taker.place.offset && x->place.index == taker.place.index)
      return;
  }
  r->too_many = r->too_many || r->takers.len >= MOST_TAKERS;
  if (r->too_many) return;
  taker.place.fixed = rejoin_has_fixed_root(r, taker.function, &taker.place);
  if (!rejoin_has_own_ids(r, &taker.place))
    taker.place = (IdPlace){.from = FROM_ANYWHERE};
  vec_push(&r->takers, taker);
}

/* What the caller passes for a parameter of the function; 0: nobody knows. */
static ExprId passed(const Rejoin *r, const Taker *t, const Edge *call, LocalId param) {
  const Function *f = vec_at(&r->p->functions, t->function);
  uint32_t number = param - f->first_local;
  if (call->op == OP_CREATE) return number == 0 ? call->c : 0;
  const Expr *callee = call->op == OP_CALL ? program_expr(r->p, call->a) : NULL;
  if (!callee || (callee->kind == EXPR_FUNC && callee->data != t->function) ||
      number >= call->arg_count)
    return 0; /* the library calls back, and passes what it likes */
  return vec_at(&r->p->args, call->first_arg + number)->value;
}

/* The place in the words of the caller. */
static IdPlace lifted_place(const Rejoin *r, const Taker *t, EdgeId id, FuncId caller,
                            EdgeId *ret_load) {
  const Edge *call = program_edge(r->p, id);
  IdPlace place = t->place;
  const Expr *root = place.root ? program_expr(r->p, place.root) : NULL;
  if (place.from == FROM_SELF && call->op != OP_CREATE) return place;
  if (place.from == FROM_SELF) return rejoin_place_at(r, call->a);
  if (place.from == FROM_ANYWHERE || root->kind == EXPR_OBJECT) {
    if (place.index) return (IdPlace){.from = FROM_ANYWHERE, .root = place.root};
    return place;
  }
  ExprId argument = is_fixed_param(r, t->function, (LocalId)root->data)
                        ? passed(r, t, call, (LocalId)root->data)
                        : 0;
  if (!argument)
    return (IdPlace){.from = FROM_ANYWHERE,
                     .root = place.from == FROM_PARAM ? 0 : place.root};
  if (place.from == FROM_PARAM) return place_of(r, caller, argument, 0, ret_load);
  IdPlace above = rejoin_place_at(r, argument);
  if (place.index || above.from != FROM_CELL)
    return (IdPlace){.from = FROM_ANYWHERE, .root = argument};
  above.offset += place.offset;
  if (place.offset) above.address = 0;
  return above;
}

static void lift(Rejoin *r, uint32_t number) {
  Taker t = r->takers.data[number];
  const EdgeId *callers;
  uint32_t n = pointsto_callers(r->pt, t.function, &callers);
  if (is_own(r, &t) || (t.function == r->p->main && !n)) return;
  r->takers.data[number].lifted = true;
  bool inside = rejoin_fills_first(r, &t), gone = rejoin_frees_behind(r, &t);
  if (!n) r->too_many = true; /* nobody knows when it is called */
  for (uint32_t i = 0; i < n; i++) {
    Taker above = t;
    FuncId caller = vec_at(&r->p->nodes, program_edge(r->p, callers[i])->from)->function;
    above.edge = above.load = callers[i];
    above.function = caller;
    above.late = t.late || program_edge(r->p, callers[i])->op == OP_CREATE;
    above.inside = t.inside || inside;
    above.gone = !above.late && (t.gone || gone);
    above.place = lifted_place(r, &t, callers[i], caller, &above.load);
    if (above.place.from == FROM_SELF && caller == r->p->main) continue; /* main itself */
    add(r, above);
  }
}

static bool has_joins(const Rejoin *r) {
  for (EdgeId e = 1; e < r->p->edges.len; e++)
    if (program_edge(r->p, e)->op == OP_JOIN) return true;
  return false;
}

static void find_takers(Rejoin *r) {
  for (FuncId f = 1; f < r->p->functions.len; f++) {
    const Function *x = &r->p->functions.data[f];
    if (!(x->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(r->pt, f)) continue;
    for (uint32_t i = 0; i < x->edge_count; i++) {
      EdgeId id = x->first_edge + i;
      const Edge *e = program_edge(r->p, id);
      if (e->op != OP_JOIN && e->op != OP_DETACH) continue;
      Taker t = {
          .edge = id, .load = id, .join = e->op == OP_JOIN ? id : 0, .function = f};
      t.place = place_of(r, f, e->a, 0, &t.load);
      add(r, t);
    }
  }
  for (uint32_t i = 0; i < r->takers.len && !r->too_many; i++) lift(r, i);
}

/* Both are elements of one array, and those of the one are before those of the other. */
static bool are_apart(const Rejoin *r, const Taker *x, const Taker *y) {
  Range a, b;
  return x->place.from == FROM_CELL && y->place.from == FROM_CELL &&
         x->place.root == y->place.root && x->place.stride == y->place.stride &&
         program_expr(r->p, x->place.root)->kind == EXPR_OBJECT &&
         x->place.offset == y->place.offset && rejoin_range(r, x, &a) && !a.bound &&
         rejoin_range(r, y, &b) && !b.bound && (a.high <= b.low || b.high <= a.low);
}

/* The second is a join, and may be one of the same thread as the first. */
static bool clash(const Rejoin *r, const Taker *first, const Taker *second) {
  if (!second->join || !rejoin_may_be_same(r, &first->place, &second->place))
    return false;
  if (are_apart(r, first, second)) return false;
  if (second->inside && !second->late && !first->late) return false;
  if (first->function == second->function) return rejoin_follows(r, first, second);
  return !first->lifted && !second->lifted;
}

EdgeId rejoined_find(const Program *program, const PointsTo *pointsto) {
  Rejoin r = {.p = program, .pt = pointsto};
  if (!has_joins(&r)) return 0;
  rejoin_find_returns(&r);
  rejoin_find_writes(&r);
  find_takers(&r);
  find_passed_on(&r);
  EdgeId found = 0, join = 0;
  for (uint32_t i = 0; i < r.takers.len && !found; i++) {
    const Taker *second = &r.takers.data[i];
    if (second->join) join = second->join;
    for (uint32_t k = 0; k < r.takers.len && !found; k++)
      if (clash(&r, &r.takers.data[k], second)) found = second->join;
  }
  if (!found && r.too_many) found = join;
  mem_free(r.returns);
  vec_free(&r.passed_on);
  vec_free(&r.takers);
  vec_free(&r.writes);
  map_free(&r.first_write);
  map_free(&r.moved);
  return found;
}
