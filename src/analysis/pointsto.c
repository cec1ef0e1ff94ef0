/* Points-to analysis: set up, solve, freeze. See pointsto.h for what it is good for and
 * docs/pointsto.md for how it works.
 *
 * In: a program. Out: a PointsTo in which every set is written down once, sorted; equal sets
 * are shared. The solver and all its tables are gone by then. */
#include "analysis/pointsto_internal.h"

#include <stdlib.h>

typedef struct {
  uint32_t first, count; /* targets */
  bool unknown, number;
} TargetSpan;

typedef struct {
  uint8_t kind;
  bool escapes, dynamic;
  uint32_t layout, period, size;
  AObject base;
  ObjectId object;
  EdgeId context;
  uint32_t any;                  /* set */
  uint32_t first_set, set_count; /* in PointsTo.content_sets */
} FrozenObject;

typedef struct {
  uint32_t first, count;
} Span;

/* What is anywhere in an object, for those that were asked about. */
typedef struct {
  Map known; /* object → index in answers + 1 */
  VEC(Targets) answers;
} Wholes;

struct PointsTo {
  const Program *p;
  Layouts *layouts;
  VEC(Target) targets;
  VEC(TargetSpan) sets; /* 0 is empty */
  uint32_t *expr_set;   /* by expression */
  VEC(FrozenObject) objects;
  Map words; /* (object, offset) → set */
  Map kept;  /* name of hidden state → set */
  VEC(uint32_t) content_sets;
  Wholes *wholes;
  Span *edge_calls; /* by edge */
  VEC(FuncId) callees;
  uint8_t *unknown_call;
  Span *function_calls; /* by function */
  VEC(EdgeId) callers;
  uint8_t *reached;
  VEC(FuncId) known_outside;
  ObjectId front, text;
};

/* ---- freezing sets ---- */

typedef struct {
  Solver *s;
  PointsTo *pt;
  Map ids; /* SetNo → set + 1 */
  VEC(Target) buffer;
} Freezer;

static int order_targets(const void *a, const void *b) {
  const Target *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->function != y->function) return x->function < y->function ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sorts, and returns how many stay, each once. OFFSET_ANY is the greatest offset: it makes all
 * others of the object superfluous. */
static uint32_t tidy_targets(Target *list, uint32_t count) {
  uint32_t kept = 0;
  if (count) qsort(list, count, sizeof *list, order_targets);
  for (uint32_t i = 0; i < count; i++) {
    Target t = list[i];
    if (kept && order_targets(&t, &list[kept - 1]) == 0) continue;
    while (t.offset == OFFSET_ANY && kept && list[kept - 1].object == t.object &&
           !list[kept - 1].function)
      kept--;
    list[kept++] = t;
  }
  return kept;
}

static Target anywhere(const Solver *s, AObject object) {
  bool one = pt_object_is_one_place(s, &s->objects.data[object]);
  return (Target){.object = object, .offset = one ? 0 : OFFSET_ANY};
}

static uint32_t freeze_set(Freezer *f, SetNo set) {
  if (!set || pt_poll_stop(f->s)) return 0;
  uint64_t *known = map_at(&f->ids, set);
  if (*known) return (uint32_t)*known - 1;
  *known = (uint64_t)f->pt->sets.len + 1;
  TargetSpan span = {0};
  vec_clear(&f->buffer);
  LocNo loc;
  for (SetIter i = pt_sets_begin(set); pt_sets_next(&f->s->sets, &i, &loc);) {
    loc = pt_loc_find(f->s, loc);
    if (loc == LOC_UNKNOWN)
      span.unknown = true;
    else if (loc == LOC_NUMBER)
      span.number = true;
    else if (loc_is_function(loc))
      vec_push(&f->buffer, (Target){.function = (FuncId)(loc & ~LOC_FUNCTION)});
    else if (loc_is_any(loc))
      vec_push(&f->buffer, anywhere(f->s, loc_object(loc)));
    else if (!loc_place(f->s, loc)->outside)
      vec_push(&f->buffer, (Target){.object = loc_object(loc),
                                    .offset = (uint32_t)loc_place(f->s, loc)->offset});
  }
  span.first = f->pt->targets.len;
  span.count = tidy_targets(f->buffer.data, f->buffer.len);
  for (uint32_t i = 0; i < span.count; i++) vec_push(&f->pt->targets, f->buffer.data[i]);
  vec_push(&f->pt->sets, span);
  return f->pt->sets.len - 1;
}

static SetNo node_set(const Freezer *f, NodeNo node) {
  return node ? f->s->nodes.data[pt_node_find(f->s, node)].set : 0;
}

static uint32_t freeze_node(Freezer *f, NodeNo node) {
  return freeze_set(f, node_set(f, node));
}

/* All slots of a wide value together. */
static uint32_t freeze_slots(Freezer *f, NodeNo first, uint32_t count) {
  SetNo all = 0;
  for (uint32_t i = 0; first && i < count; i++)
    all = pt_sets_unite(&f->s->sets, all, node_set(f, first + i));
  return freeze_set(f, all);
}

static void freeze_exprs(Freezer *f) {
  const Program *p = f->pt->p;
  f->pt->expr_set = mem_alloc_zero(((size_t)p->exprs.len + 1) * sizeof(uint32_t));
  for (ExprId id = 1; id < p->exprs.len; id++)
    if (f->s->expr_node[id])
      f->pt->expr_set[id] =
          freeze_slots(f, f->s->expr_node[id] - 1, slots_of(p->exprs.data[id].bits));
}

static void add_content_set(PointsTo *pt, FrozenObject *o, uint32_t set) {
  bool known = !set;
  for (uint32_t i = 0; i < o->set_count && !known; i++)
    known = pt->content_sets.data[o->first_set + i] == set;
  if (known) return;
  vec_push(&pt->content_sets, set);
  o->set_count++;
}

static void freeze_objects(Freezer *f) {
  Solver *s = f->s;
  for (AObject id = 0; id < s->objects.len; id++) {
    const PtObject *o = &s->objects.data[id];
    FrozenObject frozen = {.kind = o->kind,
                           .escapes = o->escapes,
                           .dynamic = o->dynamic,
                           .layout = o->layout,
                           .period = o->period,
                           .size = o->size,
                           .base = o->base,
                           .object = o->object,
                           .context = o->context,
                           .any = freeze_node(f, o->any),
                           .first_set = f->pt->content_sets.len};
    add_content_set(f->pt, &frozen, frozen.any);
    for (uint32_t i = 0; i < o->words.len; i++) {
      uint32_t set = freeze_node(f, o->words.data[i].node);
      map_put(&f->pt->words, pair_key(id, (uint32_t)o->words.data[i].at), set);
      add_content_set(f->pt, &frozen, set);
    }
    vec_push(&f->pt->objects, frozen);
  }
}

/* ---- freezing the call graph ---- */

static int order_calls(const void *a, const void *b) {
  const CallPair *x = a, *y = b;
  if (x->edge != y->edge) return x->edge < y->edge ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

static void freeze_calls(Freezer *f) {
  PointsTo *pt = f->pt;
  Solver *s = f->s;
  size_t functions = (size_t)pt->p->functions.len + 1;
  pt->edge_calls =
      mem_alloc_zero(((size_t)pt->p->edges.len + 1) * sizeof *pt->edge_calls);
  pt->function_calls = mem_alloc_zero(functions * sizeof *pt->function_calls);
  if (s->calls.len)
    qsort(s->calls.data, s->calls.len, sizeof *s->calls.data, order_calls);
  for (uint32_t i = 0; i < s->calls.len; i++) {
    CallPair call = s->calls.data[i];
    Span *span = &pt->edge_calls[call.edge];
    if (!span->count) span->first = pt->callees.len;
    span->count++;
    vec_push(&pt->callees, call.function);
    pt->function_calls[call.function].count++;
  }
  uint32_t first = 0;
  for (size_t i = 0; i < functions; i++) {
    pt->function_calls[i].first = first;
    first += pt->function_calls[i].count;
    pt->function_calls[i].count = 0;
  }
  (void)vec_extend(&pt->callers, s->calls.len + 1);
  for (uint32_t i = 0; i < s->calls.len; i++) {
    Span *span = &pt->function_calls[s->calls.data[i].function];
    pt->callers.data[span->first + span->count++] = s->calls.data[i].edge;
  }
}

static PointsTo *freeze(Solver *s) {
  PointsTo *pt = mem_alloc_zero(sizeof *pt);
  pt->wholes = mem_alloc_zero(sizeof *pt->wholes);
  Freezer f = {.s = s, .pt = pt};
  pt->p = s->p;
  vec_push(&pt->sets, (TargetSpan){0});
  freeze_exprs(&f);
  freeze_objects(&f);
  for (uint32_t i = 0; i < s->kept.len; i++)
    map_put(&pt->kept, s->kept.entries[i].key,
            freeze_node(&f, (NodeNo)s->kept.entries[i].value));
  freeze_calls(&f);
  map_free(&f.ids);
  vec_free(&f.buffer);
  pt->layouts = s->layouts;
  pt->front = s->front;
  pt->text = s->text;
  pt->reached = s->reached;
  pt->unknown_call = s->unknown_call;
  for (uint32_t i = 0; i < s->escaped_functions.len; i++)
    vec_push(&pt->known_outside, s->escaped_functions.data[i]);
  s->layouts = NULL;
  s->reached = NULL;
  s->unknown_call = NULL;
  return pt;
}

/* ---- the solver's life ---- */

static void solver_init(Solver *s, const Program *p, const volatile int *stop) {
  s->p = p;
  s->stop = stop;
  size_t locals = (size_t)p->locals.len + 1, functions = (size_t)p->functions.len + 1;
  s->layouts = layouts_new(p);
  pt_sets_init(&s->sets);
  pt_node_new(s, 1); /* 0 is none */
  s->local_node = mem_alloc_zero(locals * sizeof(NodeNo));
  s->shadow_node = mem_alloc_zero(locals * sizeof(NodeNo));
  s->local_use_type = mem_alloc_zero(locals * sizeof(TypeId));
  s->expr_node = mem_alloc_zero(((size_t)p->exprs.len + 1) * sizeof(NodeNo));
  s->return_node = mem_alloc_zero(functions * sizeof(NodeNo));
  s->va_object = mem_alloc_zero(functions * sizeof(AObject));
  s->wrappers = mem_alloc_zero(functions * sizeof(Wrapper));
  s->reached = mem_alloc_zero(functions);
  s->unknown_call = mem_alloc_zero((size_t)p->edges.len + 1);
  s->thread_results = pt_node_new(s, 1);
  s->escaped = pt_node_new(s, 1);
  s->sent = pt_node_new(s, 1);
  s->numbers = pt_node_new(s, 1);
  pt_node_add(s, s->numbers, LOC_NUMBER);
  pt_node_copy(s, s->numbers, s->sent);
  pt_object_init_program(s);
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_LIBRARY ||
        (p->objects.data[o].kind == OBJECT_TLS && !p->objects.data[o].loc))
      map_put(&s->hidden, p->objects.data[o].name, o);
}

static void solver_free(Solver *s) {
  for (uint32_t i = 0; i < s->nodes.len; i++) {
    PtNode *n = &s->nodes.data[i];
    vec_free(&n->inbox);
    vec_free(&n->copies);
    vec_free(&n->shifts);
    vec_free(&n->uses);
  }
  for (uint32_t i = 0; i < s->objects.len; i++) {
    PtObject *o = &s->objects.data[i];
    vec_free(&o->words);
    vec_free(&o->places);
    vec_free(&o->watches);
    vec_free(&o->births);
  }
  for (FuncId f = 0; s->p && f < s->p->functions.len; f++)
    vec_free(&s->wrappers[f].allocs);
  layouts_free(s->layouts);
  pt_sets_free(&s->sets);
  vec_free(&s->nodes);
  vec_free(&s->moves);
  vec_free(&s->uses);
  vec_free(&s->queue);
  vec_free(&s->index);
  vec_free(&s->low);
  vec_free(&s->open);
  vec_free(&s->objects);
  vec_free(&s->new_words);
  vec_free(&s->to_open);
  vec_free(&s->shared_ids);
  vec_free(&s->sites);
  vec_free(&s->given);
  vec_free(&s->to_reach);
  vec_free(&s->calls);
  vec_free(&s->unknown_calls);
  vec_free(&s->escaped_functions);
  strmap_free(&s->move_ids);
  strmap_free(&s->watches);
  Map *maps[] = {&s->edges,     &s->loc_ids,         &s->moved_sets,  &s->shared,
                 &s->word_ids,  &s->clones,          &s->hidden,      &s->kept,
                 &s->kept_with, &s->load_nodes,      &s->fresh_nodes, &s->copy_buffers,
                 &s->site_ids,  &s->bound_callbacks, &s->called};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
  mem_free(s->local_node);
  mem_free(s->shadow_node);
  mem_free(s->local_use_type);
  mem_free(s->expr_node);
  mem_free(s->return_node);
  mem_free(s->va_object);
  mem_free(s->wrappers);
  mem_free(s->reached);
  mem_free(s->unknown_call);
}

PointsTo *pointsto_new(const Program *program, const volatile int *stop) {
  Solver s = {0};
  solver_init(&s, program, stop);
  pt_node_use(&s, s.escaped, (Use){.kind = USE_ESCAPE});
  pt_node_add(&s, s.escaped, LOC_UNKNOWN);
  pt_wrappers_find(&s);
  pt_roots_reach(&s);
  PointsTo *pt = pt_solve(&s) ? freeze(&s) : NULL;
  if (s.stopped) { /* sets were left out */
    pointsto_free(pt);
    pt = NULL;
  }
  solver_free(&s);
  return pt;
}

void pointsto_free(PointsTo *pt) {
  if (!pt) return;
  layouts_free(pt->layouts);
  for (uint32_t i = 0; i < pt->wholes->answers.len; i++)
    mem_free((void *)pt->wholes->answers.data[i].targets);
  vec_free(&pt->wholes->answers);
  map_free(&pt->wholes->known);
  mem_free(pt->wholes);
  vec_free(&pt->targets);
  vec_free(&pt->sets);
  vec_free(&pt->objects);
  vec_free(&pt->content_sets);
  vec_free(&pt->callees);
  vec_free(&pt->callers);
  vec_free(&pt->known_outside);
  map_free(&pt->words);
  map_free(&pt->kept);
  mem_free(pt->expr_set);
  mem_free(pt->edge_calls);
  mem_free(pt->function_calls);
  mem_free(pt->unknown_call);
  mem_free(pt->reached);
  mem_free(pt);
}

/* ---- questions ---- */

/* What a pointer with this set leads to: where there is nothing else, a number is an address
 * that nobody knows. */
static Targets targets_of(const PointsTo *pt, uint32_t set) {
  const TargetSpan *span = vec_at(&pt->sets, set);
  return (Targets){.targets = span->count ? &pt->targets.data[span->first] : NULL,
                   .count = span->count,
                   .unknown = span->unknown || (span->number && !span->count)};
}

Targets pointsto_expr(const PointsTo *pt, ExprId expr) {
  assert(expr < pt->p->exprs.len);
  return targets_of(pt, pt->expr_set[expr]);
}

bool pointsto_may_designate(const PointsTo *pt, ExprId expr) {
  assert(expr < pt->p->exprs.len);
  const TargetSpan *span = vec_at(&pt->sets, pt->expr_set[expr]);
  return span->unknown || span->count;
}

uint32_t pointsto_fold_offset(const PointsTo *pt, AObject object, uint64_t offset) {
  const FrozenObject *o = vec_at(&pt->objects, object);
  if (offset >= OFFSET_ANY) return OFFSET_ANY;
  if (o->dynamic) return (uint32_t)(o->period ? offset % o->period : offset);
  return offset < o->size ? layout_fold(pt->layouts, o->layout, (uint32_t)offset)
                          : (uint32_t)offset;
}

ObjectId pointsto_front(const PointsTo *pt) {
  return pt->front;
}

ObjectId pointsto_text(const PointsTo *pt) {
  return pt->text;
}

uint32_t pointsto_place_step(const PointsTo *pt, AObject object, uint32_t offset) {
  const FrozenObject *o = vec_at(&pt->objects, object);
  if (o->dynamic) return o->period;
  const Region *around[LAYOUT_DEPTH];
  uint32_t step = 0, depth = layout_around(pt->layouts, o->layout, offset, around);
  for (uint32_t i = 0; i < depth; i++) {
    bool whole = !around[i]->start && around[i]->end >= o->size;
    bool bytes = whole && around[i]->element == 1; /* any byte of it */
    step = pt_common_divisor(step, bytes ? 1 : around[i]->step);
  }
  return depth == LAYOUT_DEPTH ? 1 : step;
}

uint64_t pointsto_folded_bytes(const PointsTo *pt, AObject object) {
  const FrozenObject *o = vec_at(&pt->objects, object);
  return o->dynamic ? o->period : layout_length(pt->layouts, o->layout);
}

PlaceExtent pointsto_extent(const PointsTo *pt, AObject object, uint64_t offset,
                            uint32_t size, bool exact) {
  const PlaceExtent all = {.to = UINT32_MAX, .crosses = true};
  if (!object || object >= pt->objects.len || offset >= OFFSET_ANY || !size) return all;
  const FrozenObject *o = vec_at(&pt->objects, object);
  LayoutExtent e = {.from = offset, .to = offset + size};
  if (o->dynamic && o->period) {
    e.from = offset % o->period;
    e.to = e.from + size;
    if (e.to > o->period) return all;
  } else if (!o->dynamic) {
    if (offset >= o->size) return all;
    e = layout_extent(pt->layouts, o->layout, offset, size, exact);
  }
  return (PlaceExtent){.from = (uint32_t)e.from,
                       .to = e.to > UINT32_MAX ? UINT32_MAX : (uint32_t)e.to,
                       .crosses = e.crosses};
}

/* The same for what is stored somewhere: most numbers in memory are no addresses. */
static Targets stored_of(const PointsTo *pt, uint32_t set) {
  Targets t = targets_of(pt, set);
  t.unknown = vec_at(&pt->sets, set)->unknown;
  return t;
}

static Targets whole_content(const PointsTo *pt, AObject object) {
  uint64_t known = map_find(&pt->wholes->known, object, 0);
  if (known) return pt->wholes->answers.data[known - 1];
  VEC(Target) all = {0};
  Targets whole = {0}, set;
  for (uint32_t i = 0; pointsto_content_set(pt, object, i, &set); i++) {
    whole.unknown = whole.unknown || set.unknown;
    for (uint32_t k = 0; k < set.count; k++) vec_push(&all, set.targets[k]);
  }
  whole.count = tidy_targets(all.data, all.len);
  whole.targets = all.data;
  vec_push(&pt->wholes->answers, whole);
  map_put(&pt->wholes->known, object, pt->wholes->answers.len);
  return whole;
}

Targets pointsto_content(const PointsTo *pt, AObject object, uint32_t offset) {
  const FrozenObject *o = vec_at(&pt->objects, object);
  if (object == AOBJECT_UNKNOWN) return (Targets){.unknown = true};
  if (offset == OFFSET_ANY) return whole_content(pt, object);
  uint32_t at = pointsto_fold_offset(pt, object, offset) & ~7u;
  if (o->dynamic && o->period % 8) at = 0;
  return stored_of(pt, (uint32_t)map_find(&pt->words, pair_key(object, at), o->any));
}

Targets pointsto_kept(const PointsTo *pt, Sym name) {
  return stored_of(pt, (uint32_t)map_find(&pt->kept, name, 0));
}

bool pointsto_content_set(const PointsTo *pt, AObject object, uint32_t i, Targets *ret) {
  const FrozenObject *o = vec_at(&pt->objects, object);
  if (i >= o->set_count) return false;
  *ret = stored_of(pt, pt->content_sets.data[o->first_set + i]);
  return true;
}

uint32_t pointsto_callees(const PointsTo *pt, EdgeId edge, const FuncId **ret) {
  assert(edge < pt->p->edges.len);
  const Span *span = &pt->edge_calls[edge];
  *ret = span->count ? &pt->callees.data[span->first] : NULL;
  return span->count;
}

bool pointsto_calls_unknown(const PointsTo *pt, EdgeId edge) {
  assert(edge < pt->p->edges.len);
  return pt->unknown_call[edge];
}

uint32_t pointsto_known_outside(const PointsTo *pt, const FuncId **ret) {
  *ret = pt->known_outside.data;
  return pt->known_outside.len;
}

uint32_t pointsto_callers(const PointsTo *pt, FuncId function, const EdgeId **ret) {
  assert(function < pt->p->functions.len);
  const Span *span = &pt->function_calls[function];
  *ret = span->count ? &pt->callers.data[span->first] : NULL;
  return span->count;
}

bool pointsto_is_reachable(const PointsTo *pt, FuncId function) {
  assert(function < pt->p->functions.len);
  return pt->reached[function];
}

uint32_t pointsto_object_count(const PointsTo *pt) {
  return pt->objects.len;
}

AObjectKind pointsto_object_kind(const PointsTo *pt, AObject object) {
  return (AObjectKind)vec_at(&pt->objects, object)->kind;
}

ObjectId pointsto_object(const PointsTo *pt, AObject object) {
  return vec_at(&pt->objects, object)->object;
}

EdgeId pointsto_context(const PointsTo *pt, AObject object) {
  return vec_at(&pt->objects, object)->context;
}

AObject pointsto_base_object(const PointsTo *pt, AObject object) {
  return vec_at(&pt->objects, object)->base;
}

bool pointsto_escapes(const PointsTo *pt, AObject object) {
  return vec_at(&pt->objects, object)->escapes;
}
