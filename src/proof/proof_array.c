/* Threads by the array: loops that create and join over an array of ids, and what each of the
 * threads so created has for its own.
 *
 * Joined. Let a loop join, in each round, the id that it loaded from cell O + i·s in that round;
 * where it is left, the contents of all cells up to its bound have been joined. If the only
 * thing that ever writes to such cells is one creating edge C, in a loop that counts through such cells
 * itself, with at most one creation to a round; if no thread of C's kind is alive whenever that
 * loop is entered; and if the cells of that loop are among those of the joining one: then each
 * thread of that kind that is alive has its id in a cell of its own, and has been joined. That
 * O is the same array for both loops, and C's threads are this thread's, is asked separately
 * (is_one_array).
 *
 * Joined in this round. Behind the join, the thread whose number is the counter is over, and what
 * that number alone leads to is nobody else's: an element that C gave to it, or that it finds by
 * its number. C's loop must be run once in the whole run.
 *
 * Own arguments. No two threads of a kind get the same argument, if each is handed a fresh
 * object, or if the loop is run once in the whole run and hands over its counter, or an element
 * that is numbered by it. */
#include "proof/proof_internal.h"

#include <assert.h>

#define AT(matrix, x, y) ((matrix)[(size_t)(x) * p->c->threads.len + (y)])

/* ---- the shape of the two loops ---- */

/* In each round the id is loaded from the element of that round, and then joined. */
static bool joins_in_each_round(Proof *p, JoinLoop *j) {
  const CountLoop *l = &j->loop;
  const Edge *join = program_edge(p->p, j->join);
  const Function *f = &p->p->functions.data[l->function];
  const Expr *id = program_expr(p->p, join->a);
  if (join->attempt != ATTEMPT_BLOCK || id->kind != EXPR_LOCAL ||
      (p->p->locals.data[id->data].flags & LOCAL_PARAM))
    return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->dst != id->data && e->dst2 != id->data) continue;
    if (j->load || e->op != OP_LOAD || e->size != 8) return false;
    j->load = f->first_edge + i;
  }
  if (!j->load) return false;
  NodeId start = program_edge(p->p, l->enter)->to,
         load = program_edge(p->p, j->load)->from;
  return loop_has(p, l, load) && !loop_reaches(p, l, start, l->head, j->join) &&
         !loop_reaches(p, l, start, join->from, j->load) &&
         !loop_reaches(p, l, program_edge(p->p, l->step)->to, load, 0);
}

/* At most one creation to a round, for the counter's value at the head, and no round with a
 * creation without a step. */
static bool creates_per_round(Proof *p, const CountLoop *l, EdgeId create) {
  const Edge *c = program_edge(p->p, create);
  return c->to && !loop_reaches(p, l, c->to, c->from, 0) &&
         !loop_reaches(p, l, program_edge(p->p, l->step)->to, c->from, 0) &&
         !loop_reaches(p, l, c->to, l->head, l->step);
}

/* Nothing in the loop creates a thread (at this edge, if it is not 0). */
static bool is_calm(Proof *p, const CountLoop *l, EdgeId create) {
  const Function *f = &p->p->functions.data[l->function];
  for (uint32_t i = 0; i < f->edge_count; i++) {
    EdgeId id = f->first_edge + i;
    const Edge *e = program_edge(p->p, id);
    if (!loop_has(p, l, e->from)) continue;
    if (e->op == OP_CREATE && (!create || create == id)) return false;
    if (e->op != OP_CALL && e->op != OP_ONCE) continue;
    const FuncId *callees;
    uint32_t n = pointsto_callees(p->pt, id, &callees);
    for (uint32_t k = 0; k < n; k++)
      if (function_may_do(p, callees[k], OP_CREATE, create)) return false;
  }
  return true;
}

static const Expr *plain_bound(const Proof *p, const CountLoop *l) {
  const Expr *e = program_expr(p->p, l->bound);
  while (e->kind == EXPR_SEXT || e->kind == EXPR_ZEXT) e = program_expr(p->p, e->a);
  return e;
}

/* They compare the counter with the bound in the same way. */
static bool bound_alike(const Proof *p, const CountLoop *x, const CountLoop *y) {
  const Expr *a = program_expr(p->p, x->bound), *b = program_expr(p->p, y->bound);
  while (a->kind == b->kind && (a->kind == EXPR_SEXT || a->kind == EXPR_ZEXT) &&
         a->bits == b->bits) {
    a = program_expr(p->p, a->a);
    b = program_expr(p->p, b->a);
  }
  return a->kind == EXPR_LOCAL && b->kind == EXPR_LOCAL && a->bits == b->bits &&
         x->compare == y->compare;
}

/* The edge that loads the bound, in each round, from one place. */
static EdgeId loads_bound(Proof *p, const CountLoop *l, Val *ret_place) {
  const Expr *bound = plain_bound(p, l);
  const Function *f = &p->p->functions.data[l->function];
  EdgeId load = 0;
  if (bound->kind != EXPR_LOCAL || (p->p->locals.data[bound->data].flags & LOCAL_PARAM))
    return 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->dst != bound->data && e->dst2 != bound->data) continue;
    if (load || e->op != OP_LOAD) return 0;
    load = f->first_edge + i;
  }
  CountLoop everywhere = {.function = l->function};
  return load && loop_operand(p, &everywhere, NO_CONTEXT, load,
                              program_edge(p->p, load)->a, ret_place)
             ? load
             : 0;
}

/* The two bounds are loaded from one place, which got its value once, before the first thread was
 * created: whoever runs one of the loops later finds that value. */
static bool same_place(Proof *p, const CountLoop *first, const CountLoop *second,
                       EdgeId create) {
  Val x, y;
  EdgeId a = loads_bound(p, first, &x), b = loads_bound(p, second, &y);
  if (!a || !b || program_edge(p->p, a)->size != program_edge(p->p, b)->size ||
      !bound_alike(p, first, second) || !val_equal(&x, &y) || !x.known || !x.base ||
      (x.base & 1) || x.index || !object_is_single(p, x.base >> 1))
    return false;
  EdgeId writer;
  return only_writer(p, x.base >> 1, x.offset, program_edge(p->p, a)->size, &writer) &&
         (!writer ||
          (!edge_on_cycle(p, writer) && edge_precedes(p, writer, create) &&
           runs_once(p, p->p->nodes.data[program_edge(p->p, writer)->from].function)));
}

/* The two bounds are the same number in each activation that gets to the first loop: a local
 * that is not set from there on. */
static bool same_bound(Proof *p, const CountLoop *first, const CountLoop *second) {
  if (first->function != second->function || first->bound != second->bound ||
      first->compare != second->compare)
    return false;
  const Expr *e = plain_bound(p, first);
  if (e->kind != EXPR_LOCAL) return e->kind == EXPR_CONST;
  const Function *f = &p->p->functions.data[first->function];
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *edge = program_edge(p->p, f->first_edge + i);
    if ((edge->dst == e->data || edge->dst2 == e->data) &&
        node_reaches(p, first->head, edge->from, 0))
      return false;
  }
  return true;
}

/* ---- one array, one creator ---- */

static bool enters_without(Proof *p, FuncId function, uint32_t kind) {
  for (uint64_t c = map_find(&p->contexts_of, function, 0); c;
       c = p->next_context.data[c - 1]) {
    const CertState *s = &p->c->states.data[p->c->contexts.data[c - 1].entry];
    if (certificate_set_has(p->c, s->alive, kind)) return false;
  }
  return true;
}

/* What the joining function calls `object` is what the creating one filled for this thread:
 * an object that exists once, and a single thread that runs both; or a variable of this
 * thread's frames, of an activation that began without such threads. */
static bool is_one_array(Proof *p, FuncId joiner, FuncId creator, const Val *cells,
                         uint32_t kind) {
  assert(cells->known && cells->base);
  uint32_t n = p->c->threads.len, count = 0;
  size_t width = p->p->functions.len;
  for (uint32_t x = 0; x < n; x++) {
    bool creates = p->runs_in[x * width + creator],
         joins = p->runs_in[x * width + joiner];
    count += creates;
    if (joins && (!creates || thread_is_apart(p, x))) return false;
    for (uint32_t y = 0; creates && y < n; y++)
      if (p->runs_in[y * width + creator] && AT(p->descends, x, y)) return false;
  }
  ObjectId object;
  if (single_object_at(p, cells, &object))
    return count == 1 && (p->runs_in[creator] || runs_once(p, creator));
  if (cells->base & 1) return false;
  const Object *o = &p->p->objects.data[object];
  Val name = val_object(object);
  return o->kind == OBJECT_STACK && names_one(p, &name) && !p->told[object] &&
         enters_without(p, o->owner, kind);
}

static bool same_address(Proof *p, const Val *x, const Val *y) {
  Val a = val_settled(p, x), b = val_settled(p, y);
  return val_equal(&a, &b);
}

/* One of the loops around the creating edge puts the ids into these cells, one in each round. */
static bool fills(Proof *p, const CountLoop *l, EdgeId create, const Val *cells) {
  Val address;
  return creates_per_round(p, l, create) &&
         loop_operand(p, l, NO_CONTEXT, create, program_edge(p->p, create)->a,
                      &address) &&
         same_address(p, &address, cells);
}

/* … and all of its cells are among those of the joining one. */
static bool covers(Proof *p, const JoinLoop *j, uint32_t context, World *w,
                   const Val *cells, EdgeId create, CountLoop *ret) {
  int64_t low, high, first, last, bound;
  for (uint32_t nth = 0; loop_around(p, create, nth, ret); nth++) {
    if (!fills(p, ret, create, cells) || !loop_start(p, ret, NO_CONTEXT, &low, &high) ||
        !loop_start(p, &j->loop, context, &first, &last) || last > low)
      continue;
    Val limit = eval(p, w, j->loop.bound);
    if (val_is_number(&limit, &bound) && bound >= 0 && bound <= INT32_MAX &&
        loop_bound(p, ret, NO_CONTEXT, &high) && high <= bound)
      return true;
    const Object *o = cells->base & 1 ? NULL : &p->p->objects.data[cells->base >> 1];
    if (same_place(p, ret, &j->loop, create)) return true;
    if (same_bound(p, ret, &j->loop) &&
        (runs_once(p, ret->function) ||
         (o && o->kind == OBJECT_STACK && o->owner == ret->function)))
      return true;
  }
  return false;
}

/* ---- where a loop is left ---- */

/* The creating edge that alone writes the cells, or 0. */
static EdgeId creator_of(Proof *p, const Val *cells) {
  assert(cells->known && cells->base);
  ObjectId object;
  if (!single_object_at(p, cells, &object) && (cells->base & 1)) return 0;
  return only_creator(p, object, cells->offset);
}

static void join_all(Proof *p, const JoinLoop *j, uint32_t context, World *w,
                     const Val *cells) {
  EdgeId create = creator_of(p, cells);
  CountLoop loop;
  if (!create || !is_calm(p, &j->loop, create) ||
      !covers(p, j, context, w, cells, create, &loop))
    return;
  for (uint32_t k = 1; k < p->c->threads.len; k++)
    if (p->c->threads.data[k].site == create &&
        is_one_array(p, j->loop.function, loop.function, cells, k) &&
        loop_starts_without(p, &loop, k))
      threads_are_over(p, w, k);
}

/* Cells of which it is known whose id they hold. */
static void join_known(Proof *p, const JoinLoop *j, uint32_t context, World *w,
                       const Val *cells) {
  assert(cells->stride > 0);
  Val limit = eval(p, w, j->loop.bound);
  int64_t bound, low, high, kind;
  if (!val_is_number(&limit, &bound) || !loop_start(p, &j->loop, context, &low, &high) ||
      !is_calm(p, &j->loop, 0))
    return;
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    const CertBinding *b = &w->bindings.data[i];
    if (b->kind != CERT_ID_IS || !val_is_number(&b->value, &kind)) continue;
    const CertSymbol *cell = &p->c->symbols.data[b->subject];
    int64_t d = (int64_t)cell->b - cells->offset;
    if (!(cells->base & 1) && cell->a == cells->base >> 1 && d >= 0 &&
        d % cells->stride == 0 && d / cells->stride >= high && d / cells->stride < bound)
      thread_is_over(p, w, (uint32_t)kind);
  }
}

/* Cells that are numbered by the counter. */
static bool is_row(const Proof *p, const Val *cells) {
  return cells->known && cells->base && cells->index == p->unknown_other &&
         cells->stride >= 8;
}

void step_leave_loop(Proof *p, uint32_t context, World *w, EdgeId e) {
  for (uint32_t i = 0; i < p->joins.len; i++) {
    const JoinLoop *j = &p->joins.data[i];
    Val cells;
    if (j->loop.leave != e || !loop_operand(p, &j->loop, context, j->load,
                                            program_edge(p->p, j->load)->a, &cells))
      continue;
    if (!is_row(p, &cells)) continue;
    join_known(p, j, context, w, &cells);
    join_all(p, j, context, w, &cells);
  }
}

/* ---- inside of a joining loop ---- */

uint32_t round_of_join(Proof *p, EdgeId at, uint32_t counter) {
  NodeId node = program_edge(p->p, at)->from;
  for (uint32_t i = 0; i < p->joins.len; i++) {
    const JoinLoop *j = &p->joins.data[i];
    NodeId start = program_edge(p->p, j->loop.enter)->to;
    if (loop_has(p, &j->loop, node) && loop_counts(p, &j->loop, counter) &&
        !loop_reaches(p, &j->loop, start, node, j->join))
      return i + 1;
  }
  return 0;
}

bool round_joins(Proof *p, uint32_t round, uint32_t kind) {
  assert(round && round <= p->joins.len && kind < p->own.len);
  const JoinLoop *j = &p->joins.data[round - 1];
  const Own *own = &p->own.data[kind];
  EdgeId create = p->c->threads.data[kind].site;
  ObjectId object;
  Val cells;
  if (!loop_operand(p, &j->loop, NO_CONTEXT, j->load, program_edge(p->p, j->load)->a,
                    &cells) ||
      !is_row(p, &cells) || !single_object_at(p, &cells, &object) ||
      only_creator(p, object, cells.offset) != create)
    return false;
  CountLoop l;
  for (uint32_t nth = 0; loop_around(p, create, nth, &l); nth++)
    if (l.head == own->head && l.counter == own->counter && fills(p, &l, create, &cells))
      return is_one_array(p, j->loop.function, l.function, &cells, kind);
  return false;
}

/* ---- own arguments ---- */

/* The value is the same in all rounds. */
static bool is_fixed_base(Proof *p, const CountLoop *l, uint32_t base) {
  if (!(base & 1)) return base != 0;
  if (base >> 1 >= p->c->symbols.len) return false;
  const CertSymbol *s = &p->c->symbols.data[base >> 1];
  switch ((CertSymbolKind)s->kind) {
  case CERT_PARAM:
  case CERT_ARGUMENT: return true;
  case CERT_EDGE:
  case CERT_LOAD: return !loop_has(p, l, program_edge(p->p, s->a)->from);
  case CERT_PHI: return !loop_has(p, l, s->a);
  default: return false;
  }
}

static bool is_left_for_good(Proof *p, const CountLoop *l) {
  const Function *f = &p->p->functions.data[l->function];
  uint32_t entries = 0;
  bool cycle = false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->to != l->head || loop_has(p, l, e->from)) continue;
    entries++;
    cycle = cycle || edge_on_cycle(p, f->first_edge + i);
  }
  return entries == 1 && !cycle && runs_once(p, l->function);
}

static Own own_by_counter(Proof *p, EdgeId create) {
  CountLoop l;
  for (uint32_t nth = 0; loop_around(p, create, nth, &l); nth++) {
    Own own = {.kind = OWN_COUNTER, .head = l.head, .counter = l.counter};
    if (!creates_per_round(p, &l, create) || !is_left_for_good(p, &l) ||
        !loop_operand(p, &l, NO_CONTEXT, create, program_edge(p->p, create)->c,
                      &own.argument))
      continue;
    if (own.argument.base == (p->unknown_other << 1 | 1) && !own.argument.index)
      return own;
    own.kind = OWN_ELEMENT;
    if (own.argument.index == p->unknown_other && own.argument.stride > 0 &&
        is_fixed_base(p, &l, own.argument.base))
      return own;
  }
  return (Own){0};
}

typedef struct {
  World world;
  EdgeId create;
  bool all;
} FreshQuery;

static void look_for_fresh(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                           void *data) {
  (void)context;
  FreshQuery *q = data;
  if (e != q->create || !q->all) return;
  world_load(p, &q->world, state);
  Val v = eval(p, &q->world, program_edge(p->p, e)->c);
  uint32_t symbol;
  bool fresh = false;
  for (uint32_t i = 0; val_is_symbol(&v, &symbol) && i < q->world.fresh.len; i++)
    fresh = fresh || q->world.fresh.data[i] == symbol;
  q->all = fresh;
}

void arrays_prepare(Proof *p) {
  writers_prepare(p);
  (void)vec_extend(&p->own, p->c->threads.len);
  for (uint32_t k = 1; k < p->c->threads.len; k++) {
    EdgeId site = p->c->threads.data[k].site;
    if (thread_is_apart(p, k) || !program_edge(p->p, site)->c) continue;
    FreshQuery q = {.create = site, .all = true};
    FuncId f = p->p->nodes.data[program_edge(p->p, site)->from].function;
    for (uint64_t c = map_find(&p->contexts_of, f, 0); c; c = p->next_context.data[c - 1])
      visit_context(p, (uint32_t)c - 1, look_for_fresh, &q);
    world_free(&q.world);
    p->own.data[k] = q.all ? (Own){.kind = OWN_FRESH} : own_by_counter(p, site);
  }
  for (FuncId f = 1; f < p->p->functions.len; f++) {
    const Function *x = &p->p->functions.data[f];
    for (uint32_t i = 0; pointsto_is_reachable(p->pt, f) && i < x->edge_count; i++) {
      JoinLoop j = {.join = x->first_edge + i};
      if (program_edge(p->p, j.join)->op != OP_JOIN) continue;
      for (uint32_t nth = 0; loop_around(p, j.join, nth, &j.loop); nth++, j.load = 0)
        if (joins_in_each_round(p, &j)) vec_push(&p->joins, j);
    }
  }
}

/* ---- ids that only one edge stores in a cell ---- */

/* Whatever is loaded from this cell is the id of the latest thread of one kind: nothing else
 * writes the cell, every creation there writes this cell, and only one thread creates. An old
 * id that is kept is no exception: to join a thread a second time has no meaning. */
static bool kind_in_cell(Proof *p, const Val *cell, uint32_t *ret) {
  if (!cell->known || !cell->base || (cell->base & 1) || cell->index ||
      !object_is_single(p, cell->base >> 1))
    return false;
  EdgeId create = only_creator(p, cell->base >> 1, cell->offset);
  if (!create) return false;
  FuncId f = p->p->nodes.data[program_edge(p->p, create)->from].function;
  uint32_t kinds = 0, runners = 0;
  for (uint32_t k = 0; k < p->c->threads.len; k++) {
    runners += p->runs_in[(size_t)k * p->p->functions.len + f];
    if (!k || p->c->threads.data[k].site != create) continue;
    kinds++;
    *ret = k;
  }
  CountLoop everywhere = {.function = f};
  Val address;
  return kinds == 1 && runners == 1 &&
         loop_operand(p, &everywhere, NO_CONTEXT, create, program_edge(p->p, create)->a,
                      &address) &&
         val_equal(&address, cell);
}

bool thread_in_symbol(Proof *p, uint32_t symbol, uint32_t *ret) {
  Val cell;
  return place_of_symbol(p, symbol, &cell) && kind_in_cell(p, &cell, ret);
}
