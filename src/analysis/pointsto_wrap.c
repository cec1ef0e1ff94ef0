/* Allocation wrappers: functions that return what they allocate.
 *
 * In: the program, before solving. Out: for each wrapper the allocating calls whose result it
 * returns, and the locals on the way.
 *
 * A value that goes from an allocating call to the return value through locals alone is of
 * this activation, so each direct call of the wrapper gets an object of its own, a copy of the
 * allocated one with the call as its context. Inside the wrapper all copies are seen. Whatever
 * else it returns (from memory, parameters, other calls) goes to the caller as usual: each
 * local on the way has a *shadow* node with everything but the allocations, and what flows
 * into the shadow of the return value is the wrapper's `rest`.
 *
 * A call of a wrapper is an allocating call in its turn: wrappers of wrappers are found in
 * rounds, LEVELS deep. Every object carries its births, the nodes into which pointers to it
 * were put; a copy is born there too, and at the call. When a wrapper is entered in another
 * way (through a pointer, as a thread) the object without that context stands for it. */
#include "analysis/pointsto_internal.h"

enum { LEVELS = 3, CLONES_LIMIT = 30000, ALLOCS_LIMIT = 16 };

typedef struct {
  Solver *s;
  uint32_t *def_start; /* definitions of local l: defs[def_start[l] .. def_start[l+1]) */
  EdgeId *defs;
} Finder;

static void index_definitions(Finder *f) {
  const Program *p = f->s->p;
  f->def_start = mem_alloc_zero(((size_t)p->locals.len + 2) * sizeof *f->def_start);
  for (EdgeId id = 1; id < p->edges.len; id++) f->def_start[p->edges.data[id].dst]++;
  f->def_start[0] = 0;
  for (uint32_t i = 1; i <= p->locals.len; i++) f->def_start[i] += f->def_start[i - 1];
  f->defs = mem_alloc(((size_t)p->edges.len + 1) * sizeof *f->defs);
  for (EdgeId id = p->edges.len; id-- > 1;)
    if (p->edges.data[id].dst) f->defs[--f->def_start[p->edges.data[id].dst]] = id;
}

static uint32_t defs_end(const Finder *f, LocalId local) {
  const Program *p = f->s->p;
  return local + 1 < p->locals.len ? f->def_start[local + 1]
                                   : f->def_start[p->locals.len];
}

/* The local behind copies, casts and constant offsets; 0 for anything else. Must see through
 * the same expressions as pt_shadow_expr. */
static LocalId local_behind(const Program *p, ExprId id, int64_t *offset) {
  const Expr *e = program_expr(p, id);
  for (;;) {
    if (e->kind == EXPR_LOCAL) return e->bits == 64 ? (LocalId)e->data : 0;
    if (e->kind == EXPR_PTRADD && program_expr(p, e->b)->kind == EXPR_CONST)
      *offset += (int64_t)program_expr(p, e->b)->value;
    else if (e->kind != EXPR_BITCAST)
      return 0;
    e = program_expr(p, e->a);
  }
}

static FuncId direct_callee(const Program *p, const Edge *e) {
  const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  return callee && callee->kind == EXPR_FUNC ? (FuncId)callee->data : 0;
}

/* A direct call that returns fresh memory, as far as is known in this round. */
static bool allocates(const Solver *s, const Edge *e, uint32_t level) {
  FuncId callee = direct_callee(s->p, e);
  if (!callee) return false;
  const Function *f = vec_at(&s->p->functions, callee);
  if (f->flags & FUNCTION_DEFINED)
    return s->wrappers[callee].level && s->wrappers[callee].level < level;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&s->p->effects, f->first_effect + i);
    if (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE) return e->aux != 0;
  }
  return false;
}

/* ---- finding ---- */

typedef struct {
  LocalId local;
  int64_t offset;
} Step;

typedef struct {
  VEC(Step) steps; /* reached so far, each pair once */
  VEC(WrapAlloc) allocs;
  bool too_many;
} Walk;

static void walk_push(Walk *w, LocalId local, int64_t offset) {
  for (uint32_t i = 0; i < w->steps.len; i++)
    if (w->steps.data[i].local == local && w->steps.data[i].offset == offset) return;
  if (w->steps.len > 256 || offset > INT32_MAX || offset < INT32_MIN) {
    w->too_many = true;
    return;
  }
  vec_push(&w->steps, (Step){local, offset});
}

static void walk_back(const Finder *f, Walk *w, uint32_t level) {
  const Program *p = f->s->p;
  for (uint32_t i = 0; i < w->steps.len; i++) {
    Step step = w->steps.data[i];
    for (uint32_t d = f->def_start[step.local]; d < defs_end(f, step.local); d++) {
      const Edge *e = program_edge(p, f->defs[d]);
      if (e->op == OP_ASSIGN) {
        int64_t offset = step.offset;
        LocalId from = local_behind(p, e->a, &offset);
        if (from) walk_push(w, from, offset);
      } else if (allocates(f->s, e, level)) {
        vec_push(&w->allocs,
                 (WrapAlloc){.site = f->defs[d], .offset = (int32_t)step.offset});
      }
    }
  }
}

static void find_in(const Finder *f, FuncId id, uint32_t level) {
  Solver *s = f->s;
  const Program *p = s->p;
  const Function *function = vec_at(&p->functions, id);
  Wrapper *wrapper = &s->wrappers[id];
  if (wrapper->level || !(function->flags & FUNCTION_DEFINED) ||
      function->return_bits != 64)
    return;
  Walk w = {0};
  for (uint32_t i = 0; i < function->edge_count; i++) {
    const Edge *e = program_edge(p, function->first_edge + i);
    int64_t offset = 0;
    LocalId local = e->op == OP_RETURN && e->a ? local_behind(p, e->a, &offset) : 0;
    if (local) walk_push(&w, local, offset);
  }
  walk_back(f, &w, level);
  if (w.allocs.len && !w.too_many && w.allocs.len <= ALLOCS_LIMIT) {
    wrapper->level = level;
    wrapper->rest = pt_node_new(s, 1);
    for (uint32_t i = 0; i < w.allocs.len; i++)
      vec_push(&wrapper->allocs, w.allocs.data[i]);
    for (uint32_t i = 0; i < w.steps.len; i++)
      if (!s->shadow_node[w.steps.data[i].local])
        s->shadow_node[w.steps.data[i].local] = pt_node_new(s, 1);
  }
  vec_free(&w.steps);
  vec_free(&w.allocs);
}

/* What kind of variable a temporary is copied to: the type of what it points to. */
static void find_types(Solver *s) {
  const Program *p = s->p;
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    int64_t offset = 0;
    LocalId from = e->op == OP_ASSIGN ? local_behind(p, e->a, &offset) : 0;
    if (!from || offset || s->local_use_type[from]) continue;
    TypeId type = type_resolve(p, vec_at(&p->locals, e->dst)->type);
    if (type && p->types.data[type].kind == TYPE_POINTER)
      s->local_use_type[from] = p->types.data[type].elem;
  }
}

void pt_wrappers_find(Solver *s) {
  if (!s->p->edges.len) return;
  Finder f = {.s = s};
  index_definitions(&f);
  for (uint32_t level = 1; level <= LEVELS; level++)
    for (FuncId id = 1; id < s->p->functions.len; id++) find_in(&f, id, level);
  mem_free(f.def_start);
  mem_free(f.defs);
  find_types(s);
}

/* ---- objects of contexts ---- */

static FuncId function_of_edge(const Solver *s, EdgeId edge) {
  return s->p->nodes.data[program_edge(s->p, edge)->from].function;
}

/* The wrapper around the call returns what it allocates. */
static bool is_site(const Solver *s, EdgeId edge) {
  const Wrapper *w = &s->wrappers[function_of_edge(s, edge)];
  for (uint32_t i = 0; i < w->allocs.len; i++)
    if (w->allocs.data[i].site == edge) return true;
  return false;
}

NodeNo pt_site_node(Solver *s, EdgeId edge) {
  uint64_t known = map_find(&s->fresh_nodes, edge, 0);
  if (known) return (NodeNo)known;
  NodeNo node = pt_node_new(s, 1);
  map_put(&s->fresh_nodes, edge, node);
  return node;
}

static void bear(Solver *s, AObject object, EdgeId site, int32_t offset) {
  NodeNo node = pt_site_node(s, site);
  vec_push(&s->objects.data[object].births, (Birth){node, offset});
  if (s->objects.data[object].introduced)
    pt_node_add(s, node, pt_loc_of(s, object, offset));
}

/* Pointers to the object appear where it is born. */
static void introduce(Solver *s, AObject object) {
  if (s->objects.data[object].introduced) return;
  s->objects.data[object].introduced = true;
  for (uint32_t i = 0; i < s->objects.data[object].births.len; i++) {
    Birth b = s->objects.data[object].births.data[i];
    pt_node_add(s, b.node, pt_loc_of(s, object, b.offset));
  }
}

/* One more context for an object that the wrapper called at `site` gives. */
static Given in_context(Solver *s, EdgeId site, AObject object, int64_t offset) {
  const Edge *e = program_edge(s->p, site);
  if (s->clone_count >= CLONES_LIMIT || offset > INT32_MAX || offset < INT32_MIN) {
    bear(s, object, site, (int32_t)offset);
    introduce(s, object);
    return (Given){object, (int32_t)offset};
  }
  TypeId type = e->dst ? s->local_use_type[e->dst] : 0;
  AObject clone = pt_object_clone(s, object, site, type);
  if (!s->objects.data[clone].births.len) {
    for (uint32_t i = 0; i < s->objects.data[object].births.len; i++) {
      Birth b = s->objects.data[object].births.data[i];
      vec_push(&s->objects.data[clone].births, b);
    }
  }
  bear(s, clone, site, (int32_t)offset);
  return (Given){clone, (int32_t)offset};
}

/* The objects that an allocating call gives, with their offsets: that of the library's
 * allocation, or those of the wrapper called there, seen from here. Wrappers call wrappers of
 * lower levels, so this goes at most LEVELS deep. */
static GivenSpan site_objects(Solver *s, EdgeId site) {
  uint64_t known = map_find(&s->site_ids, site, 0);
  if (known) return s->sites.data[known - 1];
  const Edge *e = program_edge(s->p, site);
  FuncId callee = direct_callee(s->p, e);
  VEC(Given) given = {0};
  if (e->aux) {
    bear(s, e->aux, site, 0);
    vec_push(&given, (Given){e->aux, 0});
  } else {
    for (uint32_t i = 0; i < s->wrappers[callee].allocs.len; i++) {
      WrapAlloc alloc = s->wrappers[callee].allocs.data[i];
      GivenSpan inner = site_objects(s, alloc.site);
      for (uint32_t k = 0; k < inner.count; k++) {
        Given g = s->given.data[inner.first + k];
        g = in_context(s, site, g.object, (int64_t)g.offset + alloc.offset);
        vec_push(&given, g);
      }
    }
  }
  GivenSpan span = {s->given.len, given.len};
  for (uint32_t i = 0; i < given.len; i++) vec_push(&s->given, given.data[i]);
  vec_free(&given);
  vec_push(&s->sites, span);
  map_put(&s->site_ids, site, s->sites.len);
  return span;
}

void pt_site_reach(Solver *s, EdgeId edge) {
  GivenSpan span = site_objects(s, edge);
  NodeNo node = pt_site_node(s, edge);
  LocalId dst = program_edge(s->p, edge)->dst;
  bool returned = is_site(s, edge);
  if (dst) pt_node_copy(s, node, pt_local_node(s, dst));
  if (dst && !returned) pt_node_copy(s, node, s->shadow_node[dst]);
  if (returned && !s->wrappers[function_of_edge(s, edge)].materialised)
    return; /* only the copies of each caller are seen */
  for (uint32_t i = 0; i < span.count; i++)
    introduce(s, s->given.data[span.first + i].object);
}

bool pt_wrapper_call(Solver *s, EdgeId edge, FuncId function) {
  if (!s->wrappers[function].level) return false;
  pt_site_reach(s, edge);
  pt_flow_to_local(s, s->wrappers[function].rest, 1, program_edge(s->p, edge)->dst);
  return true;
}

void pt_wrapper_materialise(Solver *s, FuncId function, NodeNo to) {
  Wrapper *w = &s->wrappers[function];
  if (!w->level) return;
  w->materialised = true;
  for (uint32_t i = 0; i < w->allocs.len; i++) {
    WrapAlloc alloc = w->allocs.data[i];
    GivenSpan span = site_objects(s, alloc.site);
    for (uint32_t k = 0; k < span.count; k++) {
      Given g = s->given.data[span.first + k];
      introduce(s, g.object);
      pt_node_add(s, to, pt_loc_of(s, g.object, (int64_t)g.offset + alloc.offset));
    }
  }
}
