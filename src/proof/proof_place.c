/* Places: which functions run at most once, which objects exist once, which cells are written
 * while several threads run.
 *
 * Once: main, if nothing calls it; a function with a single direct call (or create, or once)
 * on no cycle of a function that itself runs once. Recursive: on a cycle of the call graph.
 * Written: every write of every claimed state, by what points-to says about its address. */
#include "proof/proof_internal.h"

#include <assert.h>

/* ---- the graphs ---- */

bool edge_on_cycle(const Proof *p, EdgeId e) {
  const Function *f =
      &p->p->functions.data[p->p->nodes.data[program_edge(p->p, e)->from].function];
  uint8_t *seen = mem_alloc_zero(f->node_count + 1);
  VEC(NodeId) stack = {0};
  NodeId start = program_edge(p->p, e)->from;
  bool found = false;
  if (program_edge(p->p, e)->to) vec_push(&stack, program_edge(p->p, e)->to);
  while (stack.len && !found) {
    NodeId n = vec_pop(&stack);
    if (n == start) found = true;
    if (seen[n - f->first_node]) continue;
    seen[n - f->first_node] = 1;
    for (EdgeId x = node_first_edge(p->p, n); x < node_end_edge(p->p, n); x++)
      if (program_edge(p->p, x)->to && !seen[program_edge(p->p, x)->to - f->first_node])
        vec_push(&stack, program_edge(p->p, x)->to);
  }
  vec_free(&stack);
  mem_free(seen);
  return found;
}

static bool is_direct(const Proof *p, const Edge *e, FuncId f) {
  const Expr *x = program_expr(p->p, e->op == OP_CALL ? e->a : e->b);
  return x->kind == EXPR_FUNC && x->data == f;
}

static bool runs_once_anew(Proof *p, FuncId function) {
  const EdgeId *callers;
  uint32_t count = pointsto_callers(p->pt, function, &callers);
  for (uint32_t i = 1; i < p->p->constructors.len; i++)
    if (p->p->constructors.data[i].function == function) count += 2;
  for (uint32_t i = 1; i < p->p->destructors.len; i++)
    if (p->p->destructors.data[i].function == function) count += 2;
  if (function == p->p->main) return count == 0;
  if (count != 1 || p->has_setjmp) return false;
  const Edge *e = program_edge(p->p, callers[0]);
  return is_direct(p, e, function) && !edge_on_cycle(p, callers[0]) &&
         runs_once(p, p->p->nodes.data[e->from].function);
}

bool runs_once(Proof *p, FuncId function) {
  assert(function < p->once_memo.len);
  uint8_t *memo = &p->once_memo.data[function];
  if (*memo == 1) return false; /* recursion */
  if (!*memo) {
    *memo = 1;
    *memo = runs_once_anew(p, function) ? 3 : 2;
  }
  return p->once_memo.data[function] == 3;
}

static bool has_bit(const uint8_t *bits, uint32_t i) {
  return bits[i / 8] >> (i % 8) & 1;
}
static void set_bit(uint8_t *bits, uint32_t i) {
  bits[i / 8] |= (uint8_t)(1u << (i % 8));
}

/* Every function that can be entered from this one, into `seen`. */
static void reach(const Proof *p, FuncId from, uint8_t *seen) {
  VEC(FuncId) stack = {0};
  vec_push(&stack, from);
  while (stack.len) {
    const Function *f = &p->p->functions.data[vec_pop(&stack)];
    for (uint32_t i = 0; i < f->edge_count; i++) {
      const Edge *e = program_edge(p->p, f->first_edge + i);
      if (e->op != OP_CALL && e->op != OP_ONCE) continue;
      const FuncId *callees;
      uint32_t count = pointsto_callees(p->pt, f->first_edge + i, &callees);
      for (uint32_t k = 0; k < count; k++)
        if (!has_bit(seen, callees[k])) {
          set_bit(seen, callees[k]);
          vec_push(&stack, callees[k]);
        }
    }
  }
  vec_free(&stack);
}

static const uint8_t *reached_from(Proof *p, FuncId function) {
  assert(function < p->reached.len);
  uint8_t **memo = &p->reached.data[function];
  if (!*memo) {
    *memo = arena_alloc_zero(p->arena, p->p->functions.len / 8 + 1);
    reach(p, function, *memo);
    p->recursive.data[function] = has_bit(*memo, function);
    set_bit(*memo, function);
  }
  return *memo;
}

bool edge_precedes(Proof *p, EdgeId first, EdgeId then) {
  FuncId home = p->p->nodes.data[program_edge(p->p, first)->from].function;
  for (;;) {
    FuncId f = p->p->nodes.data[program_edge(p->p, then)->from].function;
    const EdgeId *callers;
    if (f == home) break;
    if (f == p->p->main || !runs_once(p, f) || pointsto_callers(p->pt, f, &callers) != 1)
      return false;
    then = callers[0]; /* of a function that runs once: so this ends */
  }
  NodeId entry = p->p->functions.data[home].entry;
  return then != first && !p->has_setjmp &&
         !node_reaches(p, entry, program_edge(p->p, then)->from, first);
}

bool function_is_recursive(Proof *p, FuncId function) {
  reached_from(p, function);
  return p->recursive.data[function];
}

bool function_may_write(Proof *p, FuncId function, uint32_t cell) {
  assert(p->c->symbols.data[cell].kind == CERT_CELL);
  uint64_t *memo = map_at(&p->may_write, (uint64_t)function << 32 | cell);
  if (!*memo) {
    const uint8_t *seen = reached_from(p, function), *writers = p->writers.data[cell];
    bool found = false, outside = object_is_outside(p, p->c->symbols.data[cell].a);
    for (FuncId f = 1; f < p->p->functions.len && !found; f++)
      found =
          has_bit(seen, f) && ((writers && writers[f]) || (outside && p->anywhere[f]));
    *map_at(&p->may_write, (uint64_t)function << 32 | cell) = found ? 2 : 1;
    return found;
  }
  return *memo == 2;
}

bool function_may_do(Proof *p, FuncId function, OpKind op, EdgeId edge) {
  assert(function < 1u << 25 && (unsigned)op < 1u << 7); /* or keys might be equal */
  if (edge) {
    const Edge *e = program_edge(p->p, edge);
    return e->op == op &&
           has_bit(reached_from(p, function), p->p->nodes.data[e->from].function);
  }
  uint64_t key = (uint64_t)function << 32 ^ (uint64_t)op << 57;
  uint64_t memo = map_find(&p->may_do, key, 0);
  if (memo) return memo == 2;
  const uint8_t *seen = reached_from(p, function);
  bool found = false;
  for (FuncId f = 1; f < p->p->functions.len && !found; f++) {
    const Function *x = &p->p->functions.data[f];
    for (uint32_t i = 0; has_bit(seen, f) && i < x->edge_count && !found; i++)
      found = program_edge(p->p, x->first_edge + i)->op == op;
  }
  map_put(&p->may_do, key, found ? 2 : 1);
  return found;
}

static bool may_be_in(const Proof *p, ExprId address, ObjectId object) {
  Targets t = pointsto_expr(p->pt, address);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function && pointsto_object(p->pt, t.targets[i].object) == object)
      return true;
  return t.unknown;
}

/* Words are not told apart here. */
static bool function_may_free_words(Proof *p, FuncId function) {
  const uint8_t *seen = reached_from(p, function);
  for (FuncId f = 1; f < p->p->functions.len; f++)
    if (has_bit(seen, f) && p->frees_words[f]) return true;
  return false;
}

bool function_may_unlock(Proof *p, FuncId function, const CertLock *held) {
  const Val *lock = &held->name;
  if (held->kind == LOCK_WORD) return function_may_free_words(p, function);
  if (!lock->known || !lock->base || lock->base & 1 || lock->index)
    return function_may_do(p, function, OP_UNLOCK, 0);
  uint64_t *memo = map_at(&p->may_unlock, (uint64_t)function << 32 | lock->base);
  if (*memo) return *memo == 2;
  const uint8_t *seen = reached_from(p, function);
  bool found = false;
  for (FuncId f = 1; f < p->p->functions.len && !found; f++) {
    const Function *x = &p->p->functions.data[f];
    for (uint32_t i = 0; has_bit(seen, f) && i < x->edge_count && !found; i++) {
      const Edge *e = program_edge(p->p, x->first_edge + i);
      found = e->op == OP_UNLOCK && may_be_in(p, e->a, lock->base >> 1);
    }
  }
  *memo = found ? 2 : 1;
  return found;
}

bool object_is_single(Proof *p, ObjectId object) {
  const Object *o = &p->p->objects.data[object];
  if (o->kind == OBJECT_GLOBAL) return true;
  return o->kind == OBJECT_STACK && !(o->flags & OBJECT_DYNAMIC) &&
         runs_once(p, o->owner);
}

/* ---- steps ---- */

void visit_context(Proof *p, uint32_t context, StepVisitor *visit, void *data) {
  const CertContext *c = vec_at(&p->c->contexts, context);
  const Function *f = &p->p->functions.data[c->function];
  for (uint32_t i = 0; i < f->node_count && !is_stopped(p); i++) {
    const CertNode *n = vec_at(&p->c->nodes, c->first_node + i);
    NodeId node = f->first_node + i;
    for (uint32_t s = 0; s < n->count; s++)
      for (EdgeId e = node_first_edge(p->p, node); e < node_end_edge(p->p, node); e++)
        visit(p, context, p->c->node_states.data[n->first + s], e, data);
  }
}

void visit_steps(Proof *p, StepVisitor *visit, void *data) {
  for (uint32_t i = 0; i < p->c->contexts.len && !is_stopped(p); i++)
    visit_context(p, i, visit, data);
}

/* ---- writes ---- */

typedef struct {
  World world;
  AccessVec accesses;
  FuncId function;
  bool shared;
} Writes;

/* Memory of unknown origin is what code outside of the program knows: no variable whose address
 * was never given away (see pointsto.h). Allocated objects are not told apart here. */
bool object_is_outside(const Proof *p, ObjectId object) {
  uint8_t kind = p->p->objects.data[object].kind;
  return (kind != OBJECT_GLOBAL && kind != OBJECT_STACK) ||
         pointsto_escapes(p->pt, object);
}

bool touches_cell(Proof *p, const Access *a, AObject object, uint32_t offset,
                  const Val *address, uint32_t symbol) {
  const CertSymbol *cell = &p->c->symbols.data[symbol];
  assert(cell->kind == CERT_CELL);
  if (object == AOBJECT_UNKNOWN) return object_is_outside(p, cell->a);
  if (object >= pointsto_object_count(p->pt) || pointsto_object(p->pt, object) != cell->a)
    return false;
  if (!a->size || (a->flags & ACCESS_FREE)) return true;
  int64_t size = cell->size ? cell->size : 8;
  if (address && address->known && address->base == cell->a << 1 && !address->index)
    return address->offset < (int64_t)cell->b + size &&
           (int64_t)cell->b < address->offset + (int64_t)a->size;
  const ByteSet *touched = bytes_touched(p, object, offset, NULL, a->size);
  for (int64_t k = 0; k < size; k++)
    if (byte_set_has(touched,
                     pointsto_fold_offset(p->pt, object, (uint64_t)(cell->b + k))))
      return true;
  return false;
}

static void note_target(Proof *p, const Access *a, AObject object, uint32_t offset,
                        const Val *address, void *data) {
  const Writes *w = data;
  if (object == AOBJECT_UNKNOWN) {
    p->anywhere[w->function] = 1;
    p->all_written = p->all_written || w->shared;
    p->all_foreign = p->all_foreign || w->world.in_thread;
    return;
  }
  if (object >= pointsto_object_count(p->pt))
    return; /* hidden state that the program has no name for */
  for (uint64_t s = map_find(&p->cells_of, pointsto_object(p->pt, object), 0); s;
       s = p->next_cell.data[s]) {
    if (!touches_cell(p, a, object, offset, address, (uint32_t)s)) continue;
    uint8_t **writers = &p->writers.data[s];
    if (!*writers) *writers = arena_alloc_zero(p->arena, p->p->functions.len);
    (*writers)[w->function] = 1;
    if (w->shared) map_put(&p->written, s, 1);
    if (w->world.in_thread) map_put(&p->foreign, s, 1);
  }
}

static void note_writes(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                        void *data) {
  Writes *w = data;
  w->function = p->c->contexts.data[context].function;
  edge_accesses(p, e, &w->accesses);
  if (!w->accesses.len) return;
  world_load(p, &w->world, state);
  w->shared = world_is_shared(&w->world);
  for (uint32_t i = 0; i < w->accesses.len; i++)
    if (w->accesses.data[i].flags & ACCESS_WRITE)
      visit_targets(p, &w->world, &w->accesses.data[i], note_target, w);
}

uint32_t cell_bits(const Proof *p, uint32_t symbol) {
  assert(p->c->symbols.data[symbol].kind == CERT_CELL);
  return p->c->symbols.data[symbol].size * 8;
}

uint32_t cell_at(const Proof *p, const Val *address, uint32_t size) {
  if (!address->known || !address->base || (address->base & 1) || address->index ||
      address->offset < 0 || address->offset >= UINT32_MAX)
    return 0;
  for (uint64_t s = map_find(&p->cells_of, address->base >> 1, 0); s;
       s = p->next_cell.data[s]) {
    const CertSymbol *cell = &p->c->symbols.data[s];
    if (cell->b == address->offset && cell->size == size) return (uint32_t)s;
  }
  return 0;
}

bool cell_is_written(const Proof *p, uint32_t symbol) {
  assert(p->c->symbols.data[symbol].kind == CERT_CELL);
  return (p->all_written && object_is_outside(p, p->c->symbols.data[symbol].a)) ||
         map_get(&p->written, symbol);
}

/* A variable of the frames of this very thread, that no other knows; or in the main thread,
 * one that no other writes. */
bool cell_is_own(Proof *p, uint32_t symbol, bool in_thread) {
  assert(p->c->symbols.data[symbol].kind == CERT_CELL);
  ObjectId o = p->c->symbols.data[symbol].a;
  if (p->p->objects.data[o].kind == OBJECT_STACK && !p->told[o] &&
      object_is_confined(p, o))
    return true;
  return !in_thread && !(p->all_foreign && object_is_outside(p, o)) &&
         !map_get(&p->foreign, symbol);
}

/* ---- liveness ---- */

static bool expr_uses(const Proof *p, ExprId e, LocalId local) {
  const Expr *x = program_expr(p->p, e);
  if (!e) return false;
  if (x->kind == EXPR_LOCAL) return x->data == local;
  if (x->weight > 2000) return true;
  ExprId parts[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    if (expr_uses(p, parts[i], local)) return true;
  return false;
}

static bool edge_uses(const Proof *p, const Edge *e, LocalId local) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (expr_uses(p, p->p->args.data[e->first_arg + i].value, local)) return true;
  return expr_uses(p, e->a, local) || expr_uses(p, e->b, local) ||
         expr_uses(p, e->c, local);
}

/* Some way from the node comes to a use before it comes to another value. */
static bool find_use(const Proof *p, NodeId node, LocalId local) {
  const Function *f = &p->p->functions.data[p->p->nodes.data[node].function];
  uint8_t *seen = mem_alloc_zero(f->node_count + 1);
  VEC(NodeId) stack = {0};
  bool used = false;
  vec_push(&stack, node);
  while (stack.len && !used) {
    NodeId n = vec_pop(&stack);
    if (seen[n - f->first_node]) continue;
    seen[n - f->first_node] = 1;
    for (EdgeId id = node_first_edge(p->p, n); id < node_end_edge(p->p, n); id++) {
      const Edge *e = program_edge(p->p, id);
      used = used || edge_uses(p, e, local);
      if (e->to && e->dst != local && e->dst2 != local) vec_push(&stack, e->to);
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return used;
}

bool local_is_live(Proof *p, NodeId node, LocalId local) {
  uint64_t *memo = map_at(&p->live, (uint64_t)node << 32 | local);
  if (!*memo) *memo = find_use(p, node, local) ? 2 : 1;
  return *memo == 2;
}

/* ---- how pointers travel ---- */

/* An atomic access that passes a value on without ordering what was done before. */
static bool is_weak(const Edge *e) {
  if (e->order == ORDER_NONE) return false;
  switch ((OpKind)e->op) {
  case OP_LOAD: return !order_acquires(e->order);
  case OP_STORE: return !order_releases(e->order);
  case OP_RMW: return !order_acquires(e->order) || !order_releases(e->order);
  case OP_CMPXCHG:
    return !order_acquires(e->order) || !order_releases(e->order) ||
           !order_acquires(e->order_fail);
  case OPS_CONTROL:
  case OP_FENCE:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return false;
}

static bool holds_pointers(const Proof *p, const Edge *e) {
  Targets t = pointsto_expr(p->pt, e->a);
  bool any = t.unknown;
  for (uint32_t i = 0; i < t.count && !any; i++) {
    if (t.targets[i].function) continue;
    Targets content = pointsto_content(p->pt, t.targets[i].object, t.targets[i].offset);
    any = content.count || content.unknown;
  }
  return any;
}

/* A call that may set the type of mutexes to one that checks for errors. */
static bool sets_errorcheck(const Proof *p, EdgeId id) {
  enum { NORMAL = 0, RECURSIVE = 1 };
  const Edge *e = program_edge(p->p, id);
  const Expr *callee = program_expr(p->p, e->a);
  const FuncId *callees;
  FuncId direct = callee->kind == EXPR_FUNC ? (FuncId)callee->data : 0;
  uint32_t n = pointsto_callees(p->pt, id, &callees);
  bool sets = false;
  for (uint32_t i = 0; i <= n; i++) {
    FuncId f = i < n ? callees[i] : direct;
    sets = sets || !strcmp(sym_text(p->p, p->p->functions.data[f].name),
                           "pthread_mutexattr_settype");
  }
  if (!sets || e->arg_count < 2) return sets;
  const Expr *type = program_expr(p->p, p->p->args.data[e->first_arg + 1].value);
  return type->kind != EXPR_CONST || (type->value != NORMAL && type->value != RECURSIVE);
}

static void look_at_edges(Proof *p) {
  for (FuncId f = 1; f < p->p->functions.len; f++) {
    const Function *x = &p->p->functions.data[f];
    if (!pointsto_is_reachable(p->pt, f)) continue;
    p->has_setjmp = p->has_setjmp || (x->flags & FUNCTION_RETURNS_TWICE);
    for (uint32_t i = 0; i < x->edge_count; i++) {
      const Edge *e = program_edge(p->p, x->first_edge + i);
      p->has_cancel = p->has_cancel || e->op == OP_CANCEL;
      if (e->op == OP_CALL)
        p->sets_errorcheck = p->sets_errorcheck || sets_errorcheck(p, x->first_edge + i);
      if (is_weak(e) && !p->weak_publication) p->weak_publication = holds_pointers(p, e);
    }
  }
}

void places_prepare(Proof *p) {
  (void)vec_extend(&p->once_memo, p->p->functions.len);
  (void)vec_extend(&p->recursive, p->p->functions.len);
  look_at_edges(p);
  (void)vec_extend(&p->reached, p->p->functions.len);
  (void)vec_extend(&p->next_cell, p->c->symbols.len);
  (void)vec_extend(&p->writers, p->c->symbols.len);

  p->anywhere = arena_alloc_zero(p->arena, p->p->functions.len);
  for (uint32_t i = 0; i < p->cells.len; i++) {
    uint32_t symbol = p->cells.data[i];
    uint64_t *last = map_at(&p->cells_of, p->c->symbols.data[symbol].a);
    p->next_cell.data[symbol] = (uint32_t)*last;
    *last = symbol;
  }
  Writes w = {0};
  visit_steps(p, note_writes, &w);
  world_free(&w.world);
  vec_free(&w.accesses);
}
