/* Loops `for (i = low; i < bound; i++)` in which every round creates the thread, or joins the
 * one, whose id is in element i of an array. Found once, before the first round of the analysis;
 * what they mean for the threads that are alive is decided in flow_thread.c, where threads are
 * created, and in flow_join.c. */
#include "analysis/flow_internal.h"
#include "analysis/single.h"

typedef struct {
  Analyzer *a;
  const Function *f;
  uint8_t *inside; /* by node: in the loop's body */
} LoopSearch;

static ExprId strip_extension(const Program *p, ExprId id) {
  const Expr *e = program_expr(p, id);
  while (e->kind == EXPR_SEXT || e->kind == EXPR_ZEXT) {
    id = e->a;
    e = program_expr(p, id);
  }
  return id;
}

/* base + i × stride + offset with a local i: the address of an id in an array. */
static bool element_of(const Program *p, ExprId address, Loop *ret) {
  const Expr *e = program_expr(p, address);
  ret->offset = 0;
  while (e->kind == EXPR_PTRADD && program_expr(p, e->b)->kind == EXPR_CONST) {
    ret->offset += (int64_t)program_expr(p, e->b)->value;
    e = program_expr(p, e->a);
  }
  if (e->kind != EXPR_PTRADD) return false;
  const Expr *offset = program_expr(p, e->b);
  if (offset->kind != EXPR_MUL || program_expr(p, offset->b)->kind != EXPR_CONST)
    return false;
  const Expr *i = program_expr(p, strip_extension(p, offset->a));
  if (i->kind != EXPR_LOCAL) return false;
  ret->base = e->a;
  ret->counter = (LocalId)i->data;
  ret->stride = program_expr(p, offset->b)->value;
  return true;
}

/* Nodes reachable from `from` without passing `barrier` or edge `without`. */
static void reach(LoopSearch *s, NodeId from, NodeId barrier, EdgeId without,
                  uint8_t *seen) {
  const Program *p = s->a->p;
  VEC(NodeId) stack = {0};
  memset(seen, 0, s->f->node_count);
  if (from && from != barrier) vec_push(&stack, from);
  if (from && from != barrier) seen[from - s->f->first_node] = 1;
  while (stack.len) {
    NodeId n = vec_pop(&stack);
    for (EdgeId e = node_first_edge(p, n); e < node_end_edge(p, n); e++) {
      NodeId to = program_edge(p, e)->to;
      if (!to || e == without) continue;
      if (to == barrier)
        seen[barrier - s->f->first_node] = 1;
      else if (!seen[to - s->f->first_node]) {
        seen[to - s->f->first_node] = 1;
        vec_push(&stack, to);
      }
    }
  }
  vec_free(&stack);
}

bool assigns(const Edge *e, LocalId local) {
  return e->dst == local || e->dst2 == local;
}

/* ---- the shape ---- */

static bool is_inside(const LoopSearch *s, NodeId n, NodeId test) {
  return n == test || s->inside[n - s->f->first_node];
}

/* The only edge from outside, and the straight way from there to the test: nothing but loads. */
static bool find_entry(LoopSearch *s, NodeId test, EdgeId *ret) {
  const Program *p = s->a->p;
  uint32_t entries = 0, ways = 0;
  for (uint32_t k = 0; k < s->f->edge_count; k++) {
    const Edge *e = program_edge(p, s->f->first_edge + k);
    if (!e->to || !is_inside(s, e->to, test) || is_inside(s, e->from, test)) continue;
    *ret = s->f->first_edge + k;
    entries++;
  }
  if (entries != 1) return false;
  enum { MOST = 8 };
  NodeId n = program_edge(p, *ret)->to;
  for (int step = 0; n != test; step++) {
    EdgeId first = node_first_edge(p, n);
    const Edge *e = program_edge(p, first);
    if (step == MOST || node_end_edge(p, n) - first != 1 || e->op != OP_LOAD || !e->to)
      return false;
    n = e->to;
    ways = 0;
    for (uint32_t k = 0; k < s->f->edge_count; k++)
      ways += program_edge(p, s->f->first_edge + k)->to == n;
    if (ways != 1) return false;
  }
  return true;
}

/* The constant that `i` has where the loop is entered: the nearest assignment before. */
static bool initial_value(LoopSearch *s, EdgeId entry, LocalId i, int64_t *ret) {
  const Program *p = s->a->p;
  EdgeId in = entry;
  for (int step = 0; step < 16; step++) {
    const Edge *edge = program_edge(p, in);
    if (assigns(edge, i)) {
      const Expr *value = edge->op == OP_ASSIGN ? program_expr(p, edge->a) : NULL;
      if (!value || value->kind != EXPR_CONST) return false;
      *ret = (int64_t)value->value;
      return true;
    }
    uint32_t ways = 0;
    for (uint32_t k = 0; k < s->f->edge_count; k++) {
      if (program_edge(p, s->f->first_edge + k)->to != edge->from) continue;
      in = s->f->first_edge + k;
      ways++;
    }
    if (ways != 1) return false;
  }
  return false;
}

/* base + constant, of a variable that exists once. */
static bool is_cell(Analyzer *a, ExprId address, Cell *ret) {
  const Expr *e = program_expr(a->p, address);
  int64_t offset = 0;
  while (e->kind == EXPR_PTRADD && program_expr(a->p, e->b)->kind == EXPR_CONST) {
    offset += (int64_t)program_expr(a->p, e->b)->value;
    e = program_expr(a->p, e->a);
  }
  if (e->kind != EXPR_OBJECT || offset < 0 || offset > UINT16_MAX ||
      !object_is_unique(a, (ObjectId)e->data))
    return false;
  *ret = (Cell){(ObjectId)e->data, (uint32_t)offset};
  return true;
}

/* The local is only ever loaded from one such place. */
static bool is_loaded(LoopSearch *s, LocalId local, Cell *ret) {
  const Program *p = s->a->p;
  uint32_t found = 0;
  ret->object = 0;
  for (uint32_t k = 0; k < s->f->edge_count; k++) {
    const Edge *e = program_edge(p, s->f->first_edge + k);
    if (!assigns(e, local)) continue;
    found++;
    if (e->op != OP_LOAD || e->order != ORDER_NONE || !is_cell(s->a, e->a, ret))
      return false;
  }
  return found == 1 && !(vec_at(&p->locals, local)->flags & LOCAL_PARAM);
}

/* Inside the loop, `i` is only counted up by one, at one edge, and nothing in the bound
 * changes, unless it is loaded anew. */
static bool counts_up(LoopSearch *s, LocalId i, ExprId bound, Cell *ret_cell,
                      EdgeId *ret_step) {
  const Program *p = s->a->p;
  const Expr *b = program_expr(p, strip_extension(p, bound));
  LocalId limit = b->kind == EXPR_LOCAL ? (LocalId)b->data : 0;
  if (b->kind != EXPR_CONST && !limit) return false;
  *ret_cell = (Cell){0};
  if (limit && is_loaded(s, limit, ret_cell)) limit = 0;
  uint32_t steps = 0;
  for (uint32_t k = 0; k < s->f->edge_count; k++) {
    const Edge *e = program_edge(p, s->f->first_edge + k);
    if (!s->inside[e->from - s->f->first_node]) continue;
    if (limit && assigns(e, limit)) return false;
    if (!assigns(e, i)) continue;
    const Expr *v = e->op == OP_ASSIGN ? program_expr(p, e->a) : NULL;
    if (!v || v->kind != EXPR_ADD || program_expr(p, v->a)->kind != EXPR_LOCAL ||
        program_expr(p, v->a)->data != i || program_expr(p, v->b)->kind != EXPR_CONST ||
        program_expr(p, v->b)->value != 1)
      return false;
    steps++;
    *ret_step = s->f->first_edge + k;
  }
  return steps == 1;
}

/* Each round passes the step once, and the edge once and before it: so the edge sees every value
 * of the counter, and none of them twice. */
static bool takes_turns(LoopSearch *s, NodeId start, NodeId head, EdgeId edge,
                        EdgeId step, uint8_t *seen) {
  const Edge *e = program_edge(s->a->p, edge), *count = program_edge(s->a->p, step);
  uint32_t first = s->f->first_node;
  reach(s, start, head, step, seen);
  if (seen[head - first]) return false;
  reach(s, count->to, head, 0, seen);
  if (seen[e->from - first] || seen[count->from - first]) return false;
  reach(s, e->to, head, 0, seen);
  return !seen[e->from - first];
}

static bool is_calm(LoopSearch *s) {
  const Program *p = s->a->p;
  for (uint32_t k = 0; k < s->f->edge_count; k++) {
    const Edge *e = program_edge(p, s->f->first_edge + k);
    if (!s->inside[e->from - s->f->first_node]) continue;
    const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
    bool enters = callee && (callee->kind != EXPR_FUNC ||
                             (p->functions.data[callee->data].flags & FUNCTION_DEFINED));
    if (enters || e->op == OP_CREATE || e->op == OP_ONCE) return false;
  }
  return true;
}

/* Is `head` the head of such a loop around `edge`, run in every round, with this counter? */
static bool loop_at(LoopSearch *s, NodeId head, EdgeId edge, Loop *ret) {
  const Program *p = s->a->p;
  LocalId i = ret->counter;
  EdgeId first = node_first_edge(p, head);
  if (node_end_edge(p, head) - first != 2) return false;
  uint8_t *seen = mem_alloc(s->f->node_count);
  bool good = false;
  for (uint32_t k = 0; k < 2 && !good; k++) {
    EdgeId enter = first + k, leave = first + 1 - k;
    const Edge *in = program_edge(p, enter);
    const Expr *c = in->op == OP_ASSUME ? program_expr(p, in->a) : NULL;
    if (!c || (c->kind != EXPR_SLT && c->kind != EXPR_ULT) ||
        program_expr(p, strip_extension(p, c->a))->kind != EXPR_LOCAL ||
        program_expr(p, strip_extension(p, c->a))->data != i)
      continue;
    NodeId back = head - s->f->first_node, from = program_edge(p, edge)->from;
    reach(s, in->to, head, edge, seen);
    if (seen[back]) continue; /* a round may pass without the edge */
    reach(s, in->to, head, 0, seen);
    if (!seen[from - s->f->first_node] || !seen[back]) continue;
    memcpy(s->inside, seen, s->f->node_count);
    ExprId bound = c->b;
    int64_t low;
    EdgeId step = 0, entry = 0;
    if (!counts_up(s, i, bound, &ret->bound_cell, &step) ||
        !find_entry(s, head, &entry) || !initial_value(s, entry, i, &low) ||
        !takes_turns(s, in->to, head, edge, step, seen))
      continue;
    reach(s, program_edge(p, leave)->to, 0, 0, seen);
    ret->edge = edge;
    ret->head = program_edge(p, entry)->to;
    ret->exit = leave;
    ret->low = low;
    ret->bound = strip_extension(p, bound);
    ret->bound_kind = (uint32_t)c->kind << 8 | program_expr(p, bound)->kind;
    ret->calm = is_calm(s);
    ret->once = !seen[back];
    ret->after = arena_alloc_zero(s->a->arena, s->f->node_count);
    reach(s, in->to, head, edge, seen);
    for (uint32_t n = 0; n < s->f->node_count; n++)
      ret->after[n] = s->inside[n] && !seen[n] && n != back;
    good = true;
  }
  mem_free(seen);
  return good;
}

/* An address that stays the same in all rounds of the loop. */
static bool is_fixed(LoopSearch *s, ExprId id) {
  const Program *p = s->a->p;
  const Expr *e = program_expr(p, id);
  if (e->kind == EXPR_PTRADD)
    return is_fixed(s, e->a) && program_expr(p, e->b)->kind == EXPR_CONST;
  if (e->kind != EXPR_LOCAL) return e->kind == EXPR_OBJECT;
  for (uint32_t k = 0; k < s->f->edge_count; k++) {
    const Edge *edge = program_edge(p, s->f->first_edge + k);
    if (s->inside[edge->from - s->f->first_node] && assigns(edge, (LocalId)e->data))
      return false;
  }
  return true;
}

/* … or is loaded anew in each of them. */
static bool is_loaded_base(LoopSearch *s, ExprId id, Cell *ret) {
  const Expr *e = program_expr(s->a->p, id);
  return e->kind == EXPR_LOCAL && is_loaded(s, (LocalId)e->data, ret);
}

void find_loop(Analyzer *a, FuncId function, EdgeId edge, ExprId address, bool create) {
  LoopSearch s = {.a = a, .f = vec_at(&a->p->functions, function)};
  Loop loop = {.function = function};
  if (!element_of(a->p, address, &loop)) return;
  s.inside = mem_alloc_zero(s.f->node_count);
  for (NodeId n = s.f->first_node; n < s.f->first_node + s.f->node_count; n++)
    if (loop_at(&s, n, edge, &loop) &&
        (is_fixed(&s, loop.base) || is_loaded_base(&s, loop.base, &loop.base_cell))) {
      vec_push(&a->loops, loop);
      map_put(create ? &a->create_loops : &a->join_loops, create ? edge : loop.exit,
              a->loops.len);
      break;
    }
  mem_free(s.inside);
}

bool is_set_after(Analyzer *a, const Loop *loop, LocalId local) {
  LoopSearch s = {.a = a, .f = vec_at(&a->p->functions, loop->function)};
  uint8_t *seen = mem_alloc(s.f->node_count);
  bool found = false;
  reach(&s, loop->head, 0, 0, seen);
  for (uint32_t k = 0; k < s.f->edge_count && !found; k++) {
    const Edge *e = program_edge(a->p, s.f->first_edge + k);
    found = assigns(e, local) && seen[e->from - s.f->first_node];
  }
  mem_free(seen);
  return found;
}

/* ---- what runs once ---- */

static FuncId function_of(const Analyzer *a, EdgeId edge) {
  return vec_at(&a->p->nodes, program_edge(a->p, edge)->from)->function;
}

bool edge_runs_once(Analyzer *a, EdgeId edge) {
  return !a->jumps && single_edge(a->p, a->pt, edge);
}

/* The only call of a function that main comes to, or 0. */
static EdgeId only_call(Analyzer *a, FuncId function) {
  const EdgeId *callers;
  if (function == a->p->main || !function_runs_once(a, function) ||
      pointsto_callers(a->pt, function, &callers) != 1)
    return 0;
  return callers[0];
}

bool edge_comes_first(Analyzer *a, EdgeId first, EdgeId then) {
  FuncId home = function_of(a, first);
  while (then && function_of(a, then) != home) then = only_call(a, function_of(a, then));
  if (!then || then == first) return false;
  LoopSearch s = {.a = a, .f = vec_at(&a->p->functions, home)};
  uint8_t *seen = mem_alloc(s.f->node_count);
  reach(&s, s.f->entry, 0, first, seen);
  bool avoided = seen[program_edge(a->p, then)->from - s.f->first_node];
  mem_free(seen);
  return !avoided;
}

bool function_runs_once(Analyzer *a, FuncId function) {
  return !a->jumps && single_function(a->p, a->pt, function);
}

/* New memory, and nothing else: not what realloc does. */
static bool allocates(const Program *p, const Edge *e) {
  const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC || !e->aux) return false;
  const Function *f = vec_at(&p->functions, callee->data);
  uint32_t found = 0;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    bool plain = x->kind == EFFECT_ALLOC && x->arg == ARG_NONE && x->other == ARG_NONE;
    if (x->kind == EFFECT_FREE || x->kind == EFFECT_RETURN_ARG ||
        (x->kind == EFFECT_ALLOC && !plain))
      return false;
    found += plain;
  }
  return found == 1;
}

/* The only definition of a local: the edge that allocates what it points to. */
static bool is_allocated(Analyzer *a, FuncId function, ExprId value, EdgeId *ret) {
  const Function *f = vec_at(&a->p->functions, function);
  const Expr *x = program_expr(a->p, value);
  uint32_t found = 0;
  if (x->kind != EXPR_LOCAL || (vec_at(&a->p->locals, x->data)->flags & LOCAL_PARAM))
    return false;
  for (uint32_t k = 0; k < f->edge_count; k++)
    if (assigns(program_edge(a->p, f->first_edge + k), (LocalId)x->data)) {
      *ret = f->first_edge + k;
      found++;
    }
  return found == 1 && allocates(a->p, program_edge(a->p, *ret)) &&
         edge_runs_once(a, *ret);
}

bool cell_object(Analyzer *a, Cell cell, ObjectId *ret) {
  EdgeId store, source = 0;
  if (!only_store(a, cell, &store) || !store || program_edge(a->p, store)->size != 8 ||
      !is_allocated(a, function_of(a, store), program_edge(a->p, store)->b, &source))
    return false;
  *ret = program_edge(a->p, source)->aux;
  Targets stored = pointsto_content(a->pt, cell.object, cell.offset);
  return stored.count == 1 && !stored.unknown && !stored.targets[0].function &&
         pointsto_object(a->pt, stored.targets[0].object) == *ret;
}

/* Where a value was loaded from, if that is known exactly. */
static bool source_of(Analyzer *a, const Symbol *s, Cell *ret) {
  if (s->kind == SYMBOL_CELL) {
    *ret = (Cell){s->a, s->b};
    return true;
  }
  const FlowValue *v = &s->address;
  if (s->kind != SYMBOL_LOAD || !v->known || !v->base || flow_is_symbol(v->base) ||
      v->index || v->offset < 0 || v->offset > UINT16_MAX ||
      !object_is_unique(a, flow_base_id(v->base)))
    return false;
  *ret = (Cell){flow_base_id(v->base), (uint32_t)v->offset};
  return true;
}

bool value_object(Analyzer *a, const FlowValue *v, ObjectId *ret) {
  if (!v->known || !v->base) return false;
  *ret = flow_base_id(v->base);
  if (!flow_is_symbol(v->base)) return object_is_unique(a, *ret);
  const Symbol *s = vec_at(&a->symbols, flow_base_id(v->base));
  Cell cell;
  if (source_of(a, s, &cell)) return cell_object(a, cell, ret);
  if (s->kind != SYMBOL_EDGE || s->b) return false;
  const Edge *e = program_edge(a->p, s->a);
  *ret = e->aux;
  return allocates(a->p, e) && edge_runs_once(a, s->a);
}
