/* From settled states to records: every memory access and every taking of a lock, once for
 * each thread and each set of circumstances. See flow.h. */
#include "analysis/flow_internal.h"
#include "model/op_access.h"

/* A lock that was unlocked without being held. */
typedef struct {
  FlowValue name;
  EdgeId edge;
} Unheld;

/* The objects to which the callers of a context pass pointers, as one of its arguments. */
typedef struct {
  uint32_t context; /* + 1 */
  bool any;         /* or to any others */
  Map objects;
  Map sets; /* of points-to, that are in it */
} Passed;

enum {
  MAX_PASSED = 512,  /* objects: beyond, points-to tells the callers hardly apart */
  MAX_RECORDS = 200, /* of one access: beyond, it is wild */
};

typedef struct {
  uint32_t thread;
  bool only_written; /* no records yet: only which cells are written meanwhile */
  Map records[2];    /* already made, accesses and things: their hash to the index + 1 */
  StrMap seen;       /* what else needs no second look */
  VEC(Unheld) unheld;
  uint32_t context;   /* where the states are that are visited now */
  VEC(Passed) passed; /* by parameter */
  bool
      again; /* with only_written: another thread has been there, only unlockings are new */
  bool things; /* objects of synchronisation themselves: where they are made and used */
  bool
      repeats; /* the context has been recorded for a thread like this one: see is_known */
} Recorder;

void visit_states(Analyzer *a, uint32_t context, StateVisitor *visit, void *data) {
  const Function *f = vec_at(&a->p->functions, vec_at(&a->contexts, context)->function);
  Work w = {0};
  for (NodeId n = f->first_node; n < f->first_node + f->node_count; n++) {
    NodeStates states = vec_at(&a->contexts, context)->nodes[n - f->first_node];
    for (uint8_t i = 0; i < states.count; i++) {
      work_load(a, &w, states.states[i]);
      for (EdgeId e = node_first_edge(a->p, n); e < node_end_edge(a->p, n); e++)
        visit(a, context, e, &w, data);
    }
  }
  work_free(&w);
}

/* The held locks as a range of Flow.locks, shared when equal. */
static void put_locks(Analyzer *a, const Work *w, uint32_t *ret_first,
                      uint32_t *ret_count) {
  *ret_first = 0;
  *ret_count = w->locks.len;
  if (!w->locks.len) return;
  Str key = {0};
  str_add(&key, "locks");
  str_add_bytes(&key, w->locks.data, w->locks.len * sizeof *w->locks.data);
  uint64_t *slot = strmap_at(&a->symbol_ids, key.data, key.len);
  str_free(&key);
  if (!*slot) {
    *slot = a->flow->locks.len + 1;
    memcpy(vec_extend(&a->flow->locks, w->locks.len), w->locks.data,
           w->locks.len * sizeof *w->locks.data);
  }
  *ret_first = (uint32_t)*slot - 1;
}

/* A write while others run: the cells are not fixed. */
static void note_written(Analyzer *a, const FlowAccess *x) {
  if ((x->kind & FLOW_WRITE) && x->thread != MAIN_THREAD)
    map_put(&a->foreign_found, x->object, 1);
  if (!(x->kind & FLOW_WRITE) || (!x->alive && x->thread == MAIN_THREAD)) return;
  if (x->object == AOBJECT_UNKNOWN)
    a->all_written_found = true;
  else if (x->to - x->from > 64)
    map_put(&a->written_found, (uint64_t)x->object << 32 | OFFSET_ANY, 1);
  else /* reads of any part of it start at one of its bytes */
    for (int64_t at = (int64_t)x->from - 7; at < x->to; at++)
      if (at >= 0)
        map_put(&a->written_found, (uint64_t)x->object << 32 | (uint32_t)at, 1);
}

/* Points-to errs towards more: constants cannot be written, and only what was allocated can
 * be freed. A program that tries ends there. */
static bool is_impossible(const Analyzer *a, const FlowAccess *x) {
  if (!(x->kind & FLOW_WRITE) || x->object == AOBJECT_UNKNOWN) return false;
  const Object *o = vec_at(&a->p->objects, pointsto_object(a->pt, x->object));
  return (o->flags & OBJECT_CONSTANT) ||
         ((x->kind & FLOW_FREE) &&
          (o->kind == OBJECT_STACK || o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS));
}

/* What is not known as an offset, and what ends a life, is all of the object. */
static void set_extent(const Analyzer *a, FlowAccess *x) {
  bool all = (x->kind & FLOW_FREE) || x->offset == OFFSET_ANY;
  uint64_t at = x->exact ? (uint64_t)x->address.offset : x->offset;
  PlaceExtent e = pointsto_extent(a->pt, x->object, all ? OFFSET_ANY : at,
                                  all ? 0 : x->size, x->exact);
  x->from = e.from;
  x->to = e.to;
}

/* Functions that one call hands to the library, to be called at any time, are kinds of threads that run
 * beside everything, each other included: what one of them does in a context says all that the others
 * would, but for variables in frames, where it matters whose they are. Where points-to knows little there
 * are very many of them. */
static bool is_known(const Analyzer *a, const Recorder *r, const FlowValue *address) {
  if (!r->repeats) return false;
  if (!address->known || !address->base || flow_is_symbol(address->base)) return true;
  uint8_t kind = vec_at(&a->p->objects, flow_base_id(address->base))->kind;
  return kind != OBJECT_STACK && kind != OBJECT_TLS;
}

/* It is not in the list yet; it will have the next number there. */
static bool is_new(Map *records, const FlowAccess *list, uint32_t next,
                   const FlowAccess *access) {
  for (uint64_t key = map_hash(access, sizeof *access);; key = key * 31 + 7) {
    uint64_t *slot = map_at(records, key);
    if (*slot && memcmp(&list[*slot - 1], access, sizeof *access)) continue;
    bool new = !*slot;
    if (new) *slot = next + 1;
    return new;
  }
}

static void put_access(Analyzer *a, Recorder *r, FlowAccess *access) {
  if (is_impossible(a, access) || is_known(a, r, &access->address)) return;
  set_extent(a, access);
  if (!r->things) note_written(a, access);
  if (r->only_written || sharing_is_private(a->flow->sharing, access->object)) return;
  if (r->things) {
    if (is_new(&r->records[1], a->flow->things.data, a->flow->things.len, access))
      vec_push(&a->flow->things, *access);
  } else if (is_new(&r->records[0], a->flow->accesses.data, a->flow->accesses.len,
                    access)) {
    vec_push(&a->flow->accesses, *access);
  }
}

static bool is_argument(Analyzer *a, uint32_t symbol) {
  return symbol && vec_at(&a->symbols, symbol)->kind == SYMBOL_ARGUMENT;
}

/* The thread to which a creating loop will hand this element later in the same round. */
static uint32_t element_before(Analyzer *a, const Work *w, const FlowValue *v) {
  if (!v->known || !v->index || work_is_handed(w, v->index)) return 0;
  for (uint32_t t = 1; t < a->threads.len; t++)
    if (is_loop_counter(a, v->index, a->threads.data[t].site)) return t + 1;
  return 0;
}

/* What a record says about the circumstances. */
static FlowAccess new_access(Analyzer *a, Recorder *r, EdgeId e, const Work *w,
                             uint32_t kind) {
  FlowAccess x;
  memset(&x, 0, sizeof x); /* records are compared by their bytes */
  x.edge = e;
  x.thread = r->thread;
  x.kind = kind | (w->section ? FLOW_SECTION : 0);
  x.alive = w->alive;
  x.once_done = w->once_done;
  x.once_inside = w->once_inside;
  put_locks(a, w, &x.first_lock, &x.lock_count);
  return x;
}

/* Every call of the function is one that names it: so a context knows all its callers. */
static bool is_called_by_name(Analyzer *a, FuncId function) {
  const EdgeId *edges;
  uint32_t n = pointsto_callers(a->pt, function, &edges);
  for (uint32_t i = 0; i < n; i++) {
    const Edge *edge = program_edge(a->p, edges[i]);
    const Expr *callee = edge->op == OP_CALL ? program_expr(a->p, edge->a) : NULL;
    if (!callee || callee->kind != EXPR_FUNC || callee->data != function) return false;
  }
  return n > 0 && function != a->p->main;
}

/* What a caller of a context passes as an argument: what points-to knows of it. False if that
 * tells nothing. */
static bool passed_by(const Analyzer *a, const Context *c, const Caller *caller,
                      uint32_t parameter, Passed *passed) {
  for (EdgeId e = node_first_edge(a->p, caller->node);
       e < node_end_edge(a->p, caller->node); e++) {
    const Edge *edge = program_edge(a->p, e);
    const Expr *callee = edge->op == OP_CALL ? program_expr(a->p, edge->a) : NULL;
    if (!callee || callee->kind != EXPR_FUNC || callee->data != c->function) continue;
    if (parameter >= edge->arg_count || (edge->flags & EDGE_MISMATCH)) return false;
    Targets t =
        pointsto_expr(a->pt, vec_at(&a->p->args, edge->first_arg + parameter)->value);
    uint64_t *known = map_at(&passed->sets, (uintptr_t)t.targets);
    if (t.unknown || (!*known && passed->objects.len + t.count > MAX_PASSED))
      return false;
    for (uint32_t k = 0; k < t.count && !*known; k++)
      if (!t.targets[k].function) map_put(&passed->objects, t.targets[k].object, 1);
    *known = 1;
  }
  return true;
}

/* What the callers of the context pass as this argument; any may be anything. */
static const Passed *passed_to(Analyzer *a, Recorder *r, uint32_t parameter) {
  while (r->passed.len <= parameter) (void)vec_extend(&r->passed, 1);
  Passed *passed = vec_at(&r->passed, parameter);
  if (passed->context == r->context + 1) return passed;
  map_clear(&passed->objects);
  map_clear(&passed->sets);
  passed->context = r->context + 1;
  passed->any = false;
  const Context *c = vec_at(&a->contexts, r->context);
  for (uint32_t i = 0; i < c->callers.len && !passed->any; i++)
    passed->any = !passed_by(a, c, &c->callers.data[i], parameter, passed);
  return passed;
}

/* Points-to knows one set for each parameter; a context has only some of the callers. Sets
 * the parameter that decides about the address, if one does: where something is added to it, it
 * must be a pointer, for a number may be added to a pointer as well as the other way round. */
static bool is_by_parameter(Analyzer *a, uint32_t context, const FlowValue *v,
                            uint32_t *ret_parameter) {
  if (!v->known || !flow_is_symbol(v->base)) return false;
  const Symbol *s = vec_at(&a->symbols, flow_base_id(v->base));
  const Context *c = vec_at(&a->contexts, context);
  *ret_parameter = s->a;
  if (s->kind != SYMBOL_PARAM || !c->callers.len || !is_called_by_name(a, c->function))
    return false;
  LocalId local = vec_at(&a->p->functions, c->function)->first_local + s->a;
  return !v->index || vec_at(&a->p->locals, local)->sort == SORT_PTR;
}

/* The same access in the same circumstances has been looked at: its targets are the same.
 * `context` is 0 if they do not depend on it. */
static bool is_seen(Recorder *r, const FlowAccess *x, ExprId address, uint32_t context) {
  struct {
    FlowAccess access;
    uint32_t address, context;
  } key;
  memset(&key, 0, sizeof key);
  key.access = *x;
  key.address = address;
  key.context = context;
  uint64_t *slot = strmap_at(&r->seen, (const char *)&key, sizeof key);
  bool seen = *slot;
  *slot = 1;
  return seen;
}

/* The circumstances that make a difference to which cells are written. */
static FlowAccess new_write(const Recorder *r, const Work *w, uint32_t kind) {
  FlowAccess x;
  memset(&x, 0, sizeof x);
  x.kind = kind;
  x.thread = r->thread != MAIN_THREAD;
  x.alive = w->alive != 0;
  return x;
}

/* Where points-to tells hardly anything apart, a record for each of thousands of objects would
 * only say so thousands of times. */
static bool is_wild(const Analyzer *a, const Targets *t, const Passed *by) {
  uint32_t count = 0;
  AObject last = AOBJECT_UNKNOWN;
  for (uint32_t i = 0; i < t->count && count <= MAX_RECORDS; i++) {
    AObject object = t->targets[i].object;
    if (t->targets[i].function || object == last ||
        (by && !map_get(&by->objects, object)))
      continue;
    last = object;
    count += !sharing_is_private(a->flow->sharing, object);
  }
  return count > MAX_RECORDS;
}

/* The object is known. Where in it an index leads, points-to says: it has looked at what C says about
 * each step on the way. */
static void put_in_object(Analyzer *a, Recorder *r, FlowAccess *x, ExprId address) {
  const FlowValue *v = &x->address;
  x->object = flow_base_id(v->base);
  x->exact = !v->index;
  if (x->exact) {
    x->offset = pointsto_fold_offset(a->pt, x->object, (uint64_t)v->offset);
    put_access(a, r, x);
    return;
  }
  bool met = false;
  Targets t = pointsto_expr(a->pt, address);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function || t.targets[i].object != x->object) continue;
    met = true;
    x->offset = t.targets[i].offset;
    put_access(a, r, x);
  }
  if (met) return;
  x->offset = OFFSET_ANY;
  put_access(a, r, x);
}

/* One access through `address`, a record for each object it may touch. */
static void access_memory(Analyzer *a, Recorder *r, EdgeId e, const Work *w,
                          ExprId address, uint32_t size, uint32_t kind) {
  if (r->only_written && !(kind & FLOW_WRITE)) return;
  FlowAccess x = r->only_written ? new_write(r, w, kind) : new_access(a, r, e, w, kind);
  x.address = value_of_expr(a, w, address);
  if (is_known(a, r, &x.address)) return;
  x.address.nonzero = 0;
  x.size = size;
  const FlowValue *v = &x.address;
  x.fresh = !a->weak_publication && v->known && flow_is_symbol(v->base) && !v->index &&
            work_is_fresh(w, flow_base_id(v->base));
  if (v->known && flow_is_symbol(v->base) && !v->index &&
      is_argument(a, flow_base_id(v->base)))
    x.own = FLOW_OWN_BASE;
  else if (v->known && v->base && !flow_is_symbol(v->base) && is_argument(a, v->index))
    x.own = FLOW_OWN_INDEX;
  if (!r->only_written) {
    x.before = element_before(a, w, v);
    x.after = v->known && v->index ? thread_joined_before(a, w, e, v->index) : 0;
  }
  if (v->known && v->base && !flow_is_symbol(v->base)) {
    put_in_object(a, r, &x, address);
    return;
  }
  uint32_t parameter = 0;
  bool passed = is_by_parameter(a, r->context, v, &parameter);
  if (r->only_written) x.address = value_unknown();
  const Passed *by = passed ? passed_to(a, r, parameter) : NULL;
  if (by && (by->any || (v->index && !by->objects.len))) by = NULL;
  if (is_seen(r, &x, address, by ? r->context + 1 : 0)) return;
  Targets t = pointsto_expr(a->pt, address);
  bool wild = !r->only_written && is_wild(a, &t, by);
  for (uint32_t i = 0; i < t.count && !wild; i++) {
    if (t.targets[i].function || (by && !map_get(&by->objects, t.targets[i].object)))
      continue;
    x.object = t.targets[i].object;
    x.offset = t.targets[i].offset;
    put_access(a, r, &x);
  }
  if (wild) x.kind |= FLOW_WILD;
  if (t.unknown || wild) {
    x.object = AOBJECT_UNKNOWN;
    x.offset = OFFSET_ANY;
    put_access(a, r, &x);
  }
}

static uint32_t constant_size(Analyzer *a, ExprId bytes) {
  const Expr *e = bytes ? program_expr(a->p, bytes) : NULL;
  return e && e->kind == EXPR_CONST && e->value <= UINT32_MAX ? (uint32_t)e->value : 0;
}

/* The library's own objects are found by name. */
static AObject library_object(Analyzer *a, Sym name) {
  if (!a->library_objects.len)
    for (ObjectId o = a->p->objects.len; o-- > 1;)
      if (a->p->objects.data[o].kind == OBJECT_LIBRARY)
        map_put(&a->library_objects, a->p->objects.data[o].name, o);
  return (AObject)map_find(&a->library_objects, name, AOBJECT_UNKNOWN);
}

static void library_state(Analyzer *a, Recorder *r, EdgeId e, const Work *w,
                          const Effect *x, uint32_t kind) {
  if (x->flags & EFFECT_TLS) return;
  /* what only glibc locks counts as unlocked: neither C nor POSIX promises it */
  if ((x->flags & EFFECT_SYNCED) && !(x->flags & EFFECT_GLIBC)) kind |= FLOW_SYNCED;
  AObject object = x->flags & EFFECT_VARIABLE ? x->size : library_object(a, x->name);
  if (!object) return; /* nobody else names it: only this effect's own name can meet it */
  FlowAccess access = new_access(a, r, e, w, kind);
  access.object = object;
  access.offset = OFFSET_ANY;
  put_access(a, r, &access);
}

/* What is behind the argument's object, through pointers: of a `deep` effect (argv, msghdr, va_list), and
 * of code of which nothing is known. */
static void access_behind(Analyzer *a, Recorder *r, EdgeId e, const Work *w,
                          ExprId address, int steps, uint32_t kind) {
  if (r->only_written && !(kind & FLOW_WRITE)) return;
  FlowAccess x = r->only_written ? new_write(r, w, kind) : new_access(a, r, e, w, kind);
  x.offset = OFFSET_ANY;
  FlowValue v = value_of_expr(a, w, address);
  AObjectVec behind = {0};
  if (v.known && v.base && !flow_is_symbol(v.base)) {
    Target only = {.object = flow_base_id(v.base)};
    pointsto_behind(a->pt, (Targets){.targets = &only, .count = 1}, steps, &behind);
  } else if (!is_seen(r, &x, address, 0)) {
    pointsto_behind(a->pt, pointsto_expr(a->pt, address), steps, &behind);
  }
  if (behind.len > MAX_RECORDS && !r->only_written) {
    x.kind |= FLOW_WILD;
    behind.data[0] = AOBJECT_UNKNOWN;
    behind.len = 1;
  }
  for (uint32_t i = 0; i < behind.len; i++) {
    x.object = behind.data[i];
    put_access(a, r, &x);
  }
  vec_free(&behind);
}

/* What the library kept of earlier calls, by whatever thread. */
static void access_kept(Analyzer *a, Recorder *r, EdgeId e, const Work *w, Sym name,
                        uint32_t kind) {
  if (r->only_written && !(kind & FLOW_WRITE)) return;
  FlowAccess x = r->only_written ? new_write(r, w, kind) : new_access(a, r, e, w, kind);
  x.offset = OFFSET_ANY;
  Targets t = pointsto_kept(a->pt, name);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    x.object = t.targets[i].object;
    put_access(a, r, &x);
  }
  if (!t.unknown) return;
  x.object = AOBJECT_UNKNOWN;
  put_access(a, r, &x);
}

/* Code of which nothing is known uses what it is given, and what can be reached from there. */
static void record_arguments(Analyzer *a, Recorder *r, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  const uint32_t kind = FLOW_READ | FLOW_WRITE | FLOW_UNSURE;
  for (uint32_t i = 0; i < edge->arg_count; i++) {
    ExprId value = vec_at(&a->p->args, edge->first_arg + i)->value;
    if (program_expr(a->p, value)->sort != SORT_PTR) continue;
    access_memory(a, r, e, w, value, 0, kind);
    access_behind(a, r, e, w, value, EFFECT_ALL_STEPS, kind);
  }
}

static void record_effects(Analyzer *a, Recorder *r, EdgeId e, const Work *w,
                           FuncId callee) {
  const Edge *edge = program_edge(a->p, e);
  const Function *f = vec_at(&a->p->functions, callee);
  if (f->flags & FUNCTION_UNKNOWN && !(f->flags & FUNCTION_PURE))
    record_arguments(a, r, e, w);
  if ((f->flags & FUNCTION_FORKS) && (r->thread != MAIN_THREAD || w->alive))
    a->flow->forks_beside = e;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&a->p->effects, f->first_effect + i);
    bool locked = (x->flags & EFFECT_SYNCED) && !(x->flags & EFFECT_GLIBC);
    uint32_t synced = locked ? FLOW_SYNCED : 0;
    uint32_t size = x->extent == EXTENT_BYTES ? x->size : 0;
    if (x->extent == EXTENT_ARG && x->size < edge->arg_count && !x->times && !x->scale)
      size = constant_size(a, vec_at(&a->p->args, edge->first_arg + x->size)->value);
    uint32_t kind = x->kind == EFFECT_READ    ? FLOW_READ
                    : x->kind == EFFECT_WRITE ? FLOW_WRITE
                    : x->kind == EFFECT_STORE ? FLOW_WRITE
                    : x->kind == EFFECT_FREE  ? FLOW_WRITE | FLOW_FREE
                                              : 0;
    if (!effect_is_possible(a->p, edge, x)) continue;
    if (x->kind == EFFECT_HIDDEN_READ || x->kind == EFFECT_HIDDEN_WRITE)
      library_state(a, r, e, w, x,
                    x->kind == EFFECT_HIDDEN_READ ? FLOW_READ : FLOW_WRITE);
    if (!kind) continue;
    if ((x->kind == EFFECT_READ || x->kind == EFFECT_WRITE) && (x->flags & EFFECT_LATER))
      kind |= x->flags & EFFECT_THREAD ? FLOW_LATER | FLOW_BESIDE : FLOW_LATER;
    if (x->arg == ARG_KEPT && x->kind != EFFECT_STORE) {
      access_kept(a, r, e, w, x->name, kind | synced);
    } else if (x->arg == ARG_VARARGS) {
      for (uint32_t k = f->param_count; k < edge->arg_count; k++) {
        ExprId value = vec_at(&a->p->args, edge->first_arg + k)->value;
        if (program_expr(a->p, value)->sort == SORT_PTR)
          access_memory(a, r, e, w, value, 0, kind | synced);
      }
    } else if (x->arg < edge->arg_count) {
      ExprId value = vec_at(&a->p->args, edge->first_arg + x->arg)->value;
      access_memory(a, r, e, w, value, x->kind == EFFECT_STORE ? 8 : size, kind | synced);
      if (x->flags & EFFECT_CONTENT)
        access_behind(a, r, e, w, value, EFFECT_DEEP_STEPS, kind | synced);
    }
  }
}

static void record_call(Analyzer *a, Recorder *r, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  const Expr *callee = program_expr(a->p, edge->a);
  if (callee->kind == EXPR_FUNC) {
    record_effects(a, r, e, w, (FuncId)callee->data);
    return;
  }
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  for (uint32_t i = 0; i < n; i++) record_effects(a, r, e, w, functions[i]);
  if (n && !pointsto_calls_unknown(a->pt, e)) return;
  record_arguments(a, r, e, w);
  if (!pointsto_calls_unknown(a->pt, e)) return;
  /* nobody says what this function is: it may use all that is known outside */
  uint32_t kind = FLOW_READ | FLOW_WRITE | FLOW_UNSURE;
  FlowAccess x = r->only_written ? new_write(r, w, kind) : new_access(a, r, e, w, kind);
  x.object = AOBJECT_UNKNOWN;
  x.offset = OFFSET_ANY;
  put_access(a, r, &x);
}

static void record_lock(Analyzer *a, Recorder *r, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowAcquire x;
  memset(&x, 0, sizeof x);
  x.edge = e;
  x.thread = r->thread;
  x.lock = lock_of(a, w, edge, edge->a);
  x.alive = w->alive;
  x.attempt = edge->attempt;
  put_locks(a, w, &x.first_lock, &x.lock_count);
  for (uint32_t i = 0; i < w->locks.len; i++)
    x.again = x.again ||
              (x.lock.name.known && value_equal(&w->locks.data[i].name, &x.lock.name));
  x.recursive = lock_is_recursive(a, &x.lock);
  if (!x.lock.name.known) a->flow->exact_locks = false;
  Str key = {0};
  str_add(&key, "acquire");
  str_add_bytes(&key, &x, sizeof x);
  uint64_t *slot = strmap_at(&r->seen, key.data, key.len);
  str_free(&key);
  if (!*slot) {
    *slot = 1;
    vec_push(&a->flow->acquires, x);
  }
}

/* An unlocking of who knows what may be one of a lock that threads hand over. */
static void record_vague_unlock(Analyzer *a, Recorder *r, EdgeId e) {
  for (uint32_t i = 0; i < a->moved.len; i++) {
    FlowLock moved = {.name = a->moved.data[i], .unique = 1};
    if (lock_may_be(a, program_edge(a->p, e)->a, &moved))
      vec_push(&r->unheld, ((Unheld){moved.name, e}));
  }
}

/* An unlocking of what is not held, or not known to be held. */
static void record_unlock(Analyzer *a, Recorder *r, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowLock lock = lock_of(a, w, edge, edge->a);
  if (!lock.unique) {
    record_vague_unlock(a, r, e);
    return;
  }
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (value_equal(&w->locks.data[i].name, &lock.name)) {
      if (handover_gave(a, r->thread, &lock.name)) a->flow->foreign_unlock = e;
      return;
    }
  vec_push(&r->unheld, ((Unheld){lock.name, e}));
}

/* Without handing over, only exact states tell an unlocking of what is not held from one of
 * what was forgotten; with it, every unlocking must be explained. */
static void note_loose_locks(Analyzer *a, const Recorder *r) {
  for (uint32_t i = 0; i < r->unheld.len; i++) {
    FlowLock lock = {.name = r->unheld.data[i].name};
    if (flow_lock_is_loose(a->flow, &lock)) continue;
    if (handover_happened(a, &lock.name))
      handover_refute(a, &lock.name);
    else
      handover_suppose(a, r->thread, &lock.name);
    if (a->flow->exact_locks) {
      vec_push(&a->flow->loose_locks, lock.name);
      a->flow->foreign_unlock = r->unheld.data[i].edge;
    }
  }
}

static bool is_thread_entry(Analyzer *a, uint32_t context) {
  for (uint32_t t = 0; t < a->threads.len; t++)
    for (uint32_t i = 0; i < a->threads.data[t].entries.len; i++)
      if (a->threads.data[t].entries.data[i] == context) return true;
  return false;
}

/* What the edge itself touches, calls left out. Where an object of synchronisation is made or
 * destroyed it is written, where it is used it is read. */
static void record_accesses(Analyzer *a, Recorder *r, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(a->p, edge, list);
  Work meanwhile = *w; /* borrows all else */
  if (edge->op == OP_CREATE) meanwhile.alive = create_alive(a, e, w);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t kind = (list[i].kind & OP_READS ? FLOW_READ : 0) |
                    (list[i].kind & OP_WRITES ? FLOW_WRITE : 0) |
                    (list[i].kind & OP_ATOMIC ? FLOW_ATOMIC : 0);
    r->things = list[i].kind & OP_OBJECT;
    if (!r->things || !r->only_written)
      access_memory(a, r, e, &meanwhile, list[i].address, list[i].size, kind);
    r->things = false;
  }
}

static void record_edge(Analyzer *a, uint32_t context, EdgeId e, const Work *w,
                        void *data) {
  Recorder *r = data;
  const Edge *edge = program_edge(a->p, e);
  if (r->again && edge->op != OP_UNLOCK) return;
  if (!r->again) record_accesses(a, r, e, w);
  switch ((OpKind)edge->op) {
  case OP_RETURN:
  case OP_EXIT_THREAD:
    if (work_holds_locks(w) &&
        (edge->op == OP_EXIT_THREAD || is_thread_entry(a, context)))
      a->flow->end_with_locks = e;
    break;
  case OP_JOIN:
    if (work_holds_locks(w)) a->flow->join_with_locks = e;
    break;
  case OP_CALL: record_call(a, r, e, w); break;
  case OP_LOCK:
    if (!r->only_written) record_lock(a, r, e, w);
    break;
  case OP_UNLOCK: record_unlock(a, r, e, w); break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_CREATE:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
}

/* Vaguer states are those of collapsed nodes and general contexts. */
static bool all_exact(Analyzer *a) {
  for (uint32_t i = 0; i < a->contexts.len; i++) {
    const Context *c = vec_at(&a->contexts, i);
    const Function *f = vec_at(&a->p->functions, c->function);
    if (c->general) return false;
    for (uint32_t n = 0; n < f->node_count; n++)
      if (c->nodes[n].collapsed) return false;
  }
  return !a->lost_locks;
}

static bool has_unlock(Analyzer *a, FuncId function) {
  const Function *f = vec_at(&a->p->functions, function);
  for (uint32_t i = 0; i < f->edge_count; i++)
    if (program_edge(a->p, f->first_edge + i)->op == OP_UNLOCK) return true;
  return false;
}

/* See is_known. */
static bool repeats(const Analyzer *a, const Recorder *r, Map *visited) {
  EdgeId site = vec_at(&a->threads, r->thread)->site;
  if (r->only_written || !site || program_edge(a->p, site)->op == OP_CREATE) return false;
  uint64_t *before = map_at(visited, (uint64_t)site << 32 | r->context);
  bool again = *before;
  *before = 1;
  return again;
}

static void record_thread(Analyzer *a, Recorder *r, const ContextList *contexts,
                          Map *visited) {
  for (uint32_t i = 0; i < contexts->len && !(a->stop && *a->stop); i++) {
    r->context = contexts->data[i];
    r->repeats = repeats(a, r, visited);
    if (r->only_written && r->thread != MAIN_THREAD) {
      uint64_t *before = map_at(visited, r->context);
      r->again = *before;
      *before = 1;
      if (r->again && !has_unlock(a, vec_at(&a->contexts, r->context)->function))
        continue;
    }
    visit_states(a, r->context, record_edge, r);
  }
}

static void recorder_free(Recorder *r) {
  vec_free(&r->unheld);
  for (int i = 0; i < 2; i++) map_free(&r->records[i]);
  strmap_free(&r->seen);
  for (uint32_t i = 0; i < r->passed.len; i++) {
    map_free(&r->passed.data[i].objects);
    map_free(&r->passed.data[i].sets);
  }
  vec_free(&r->passed);
}

void record_all(Analyzer *a, bool only_written) {
  ContextList contexts = {0};
  Map visited = {0};
  vec_clear(&a->flow->accesses);
  vec_clear(&a->flow->things);
  vec_clear(&a->flow->acquires);
  vec_clear(&a->flow->loose_locks);
  a->flow->join_with_locks = a->flow->end_with_locks = a->flow->foreign_unlock = 0;
  a->flow->forks_beside = 0;
  a->flow->exact_locks = all_exact(a);
  for (uint32_t t = 0; t < a->threads.len; t++) {
    Recorder r = {.thread = t, .only_written = only_written};
    thread_contexts(a, t, &contexts);
    record_thread(a, &r, &contexts, &visited);
    for (uint32_t i = 0; i < contexts.len; i++)
      map_put(&a->threads.data[t].functions,
              vec_at(&a->contexts, contexts.data[i])->function, 1);
    note_loose_locks(a, &r);
    recorder_free(&r);
  }
  a->flow->hands_over = a->moved.len > 0;
  vec_free(&contexts);
  map_free(&visited);
}
