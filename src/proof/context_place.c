/* Memory that a certificate follows: may it be, what accesses it, what is it in the beginning. See
 * context_internal.h.
 *
 * A variable is a place that a run has once, outside of arrays. An access that is surely to it, and to
 * all of it, reads or writes it; whatever else may write to one of its bytes makes it any value. It
 * must not race: its object is one thread's own, or a condition. Atomics that are weaker than sequentially consistent
 * are no variables, unless they are the only ones and hand over with each access. */
#include "proof/context_internal.h"

#include "analysis/single.h"
#include "model/op_access.h"

#include <assert.h>

static uint64_t key_of(ObjectId object, uint32_t offset) {
  return (uint64_t)object << 32 | offset;
}

/* ---- weak atomics ---- */

typedef enum { ORDERS_ALL, HANDS_OVER, TOO_WEAK } Strength;

static bool is_atomic(const Edge *e) {
  bool access = e->op == OP_LOAD || e->op == OP_STORE;
  return e->op == OP_RMW || e->op == OP_CMPXCHG || (access && e->order != ORDER_NONE);
}

static Strength strength_of(const Edge *e) {
  bool fails_fully = e->op != OP_CMPXCHG || e->order_fail == ORDER_SEQ_CST;
  if (e->order == ORDER_SEQ_CST && fails_fully) return ORDERS_ALL;
  bool takes = e->op == OP_STORE || order_acquires(e->order);
  bool gives = e->op == OP_LOAD || order_releases(e->order);
  bool fails = e->op != OP_CMPXCHG || order_acquires(e->order_fail);
  return takes && gives && fails ? HANDS_OVER : TOO_WEAK;
}

/* All atomic accesses are to one place, and none is too weak. */
typedef struct {
  bool one, some, weak;
  ObjectId object;
  uint32_t offset;
} OnlyAtomic;

static void note_atomic(Context *x, const Edge *e, OnlyAtomic *only) {
  Targets t = pointsto_expr(x->pt, e->a);
  ObjectId object;
  uint32_t offset;
  Strength strength = strength_of(e);
  bool single = single_target(x->p, x->pt, e->a, &object, &offset);
  if (strength == TOO_WEAK || !single ||
      (only->some && (object != only->object || offset != only->offset)))
    only->one = false;
  if (single) only->object = object, only->offset = offset;
  only->some = true;
  if (strength == ORDERS_ALL) return;
  only->weak = true;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) x->weak[pointsto_object(x->pt, t.targets[i].object)] = 1;
  for (ObjectId o = 1; t.unknown && o < x->p->objects.len; o++)
    if (pointsto_escapes(x->pt, o)) x->weak[o] = 1;
}

/* In the whole program: what the slice cut may be weak, too. */
static void find_weak(Context *x) {
  const Program *p = x->q->program;
  OnlyAtomic only = {.one = true};
  x->weak = mem_alloc_zero(p->objects.len + 1);
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *edge = program_edge(p, e);
    if (is_atomic(edge) &&
        pointsto_is_reachable(x->pt, p->nodes.data[edge->from].function))
      note_atomic(x, edge, &only);
  }
  if (only.some && only.one) memset(x->weak, 0, p->objects.len + 1);
}

/* ---- variables ---- */

static bool is_condition(const Context *x, ObjectId object) {
  for (uint32_t i = 0; i < x->c.conditions.len; i++)
    if (x->c.conditions.data[i] == object) return true;
  return false;
}

static bool check_memory(Context *x, uint32_t number) {
  const Program *p = x->q->program;
  const ContextVariable *v = &x->c.variables.data[number];
  const Object *o = &p->objects.data[v->object];
  uint32_t size = v->bits / 8;
  if (!is_condition(x, v->object) &&
      !sharing_is_private(x->automata->question.sharing, v->object))
    return context_reject(x, "variable %u may race: it is no condition", number);
  if (x->weak[v->object])
    return context_reject(x, "variable %u is an atomic too weak to follow", number);
  bool outside = p->main && (p->functions.data[p->main].flags & FUNCTION_INTERNAL) &&
                 pointsto_escapes(x->pt, v->object);
  bool heap = context_is_heap(x, v->object);
  uint16_t never = OBJECT_EXTERNAL | OBJECT_LITERAL | (heap ? 0 : OBJECT_DYNAMIC);
  bool fits = heap || (v->offset < o->size && size <= o->size - v->offset);
  if ((!heap && !single_object(p, x->pt, v->object)) || o->kind == OBJECT_LIBRARY ||
      (o->flags & never) || v->object == p->errno_object || outside || !fits)
    return context_reject(x, "variable %u is no place of its own", number);
  /* All cells of a row are one place to points-to: what may write one of them is told by that place. */
  uint32_t step = single_step(p, x->pt, v->object, v->offset);
  if ((step != 0) != (v->stride != 0) || (step && v->stride % step) ||
      (step && (!x->element || !context_has_address(x, v->object))))
    return context_reject(x, "variable %u is no single place", number);
  uint64_t *known = map_at(&x->memory_at, key_of(v->object, v->offset));
  if (*known) return context_reject(x, "variable %u is there twice", number);
  *known = number + 1;
  return true;
}

static ContextKey key_of_variable(const Context *x, const ContextVariable *v,
                                  uint32_t number) {
  uint64_t object = map_find(&x->object_at, key_of(v->object, v->offset), 0);
  if (v->what == IS_MEMORY) return number;
  if (v->what == IS_LOCAL) return KEY_LOCAL | v->number;
  if (v->what == IS_OWN && v->ghost == GHOST_ALL) return KEY_HALF;
  if (v->what == IS_OWN && v->ghost == CONTEXT_COUNTS) return KEY_SHARE | v->counter;
  if (v->what == IS_SHARED && v->ghost == GHOST_ENDED) return KEY_ENDED | v->number;
  if (v->what == IS_SHARED && v->ghost == GHOST_KNOWN) return KEY_ID | v->number;
  if (v->what == IS_SHARED && v->ghost == CONTEXT_ELEMENT) return KEY_ELEMENT;
  if (v->what == IS_SHARED && v->ghost == CONTEXT_MADE) return KEY_MADE | v->object;
  assert(object); /* context_find_objects has listed it */
  return (v->what == IS_OWN ? KEY_OWN : KEY_GHOST) | (object - 1) << 8 | v->ghost;
}

bool context_check_variables(Context *x) {
  find_weak(x);
  for (uint32_t i = 0; i < x->c.variables.len; i++)
    if (x->c.variables.data[i].ghost == CONTEXT_ELEMENT && !context_check_element(x, i))
      return false;
  for (uint32_t i = 0; i < x->c.variables.len; i++)
    if (x->c.variables.data[i].what == IS_MEMORY && !check_memory(x, i)) return false;
  if (!context_find_counters(x)) return false;
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    ContextVariable *v = &x->c.variables.data[i];
    if (v->what == IS_LOCAL) {
      uint32_t automaton = x->c.kinds.data[v->kind].automaton;
      const Automaton *a = &x->automata->kinds.data[automaton];
      if (!v->number || v->number >= a->variables.len)
        return context_reject(x, "variable %u is none of its thread", i);
      v->bits = a->variables.data[v->number].bits;
    }
    bool thread = v->ghost == GHOST_ENDED || v->ghost == GHOST_KNOWN;
    if (thread && !x->c.kinds.data[v->number].once)
      return context_reject(x, "variable %u is about more than one thread", i);
    v->now = context_now(x, v->kind, key_of_variable(x, v, i));
  }
  return true;
}

/* ---- accesses ---- */

/* The one place that the step's one access to data is to. False: not one; `ret_access` is the access, of
 * size 0 if there is none, or more than one. */
static bool place_of(const Context *x, const AutoStep *s, ContextVariable *ret,
                     OpAccess *ret_access) {
  OpAccess list[OP_ACCESS_MAX], *only = NULL;
  *ret = (ContextVariable){.what = IS_MEMORY};
  *ret_access = (OpAccess){0};
  if (s->kind != STEP_EDGE) return false;
  uint32_t n = op_accesses(x->p, program_edge(x->p, s->edge), list);
  for (uint32_t i = 0; i < n; i++) {
    if ((list[i].kind & OP_OBJECT) || !list[i].size || list[i].count) continue;
    if (only) return false;
    only = &list[i];
  }
  if (!only) return false;
  *ret_access = *only;
  ret->bits = only->size * 8;
  ret->object = s->object; /* what it touches in this call string, if that is known */
  ret->offset = s->offset;
  if (s->object) return s->offset != OFFSET_ANY && !context_is_heap(x, s->object);
  Targets t = pointsto_expr(x->pt, only->address);
  if (t.unknown || t.count != 1 || t.targets->function) return false;
  ret->object = pointsto_object(x->pt, t.targets->object);
  ret->offset = t.targets->offset;
  return ret->object == t.targets->object && ret->offset != OFFSET_ANY &&
         !context_is_heap(x, ret->object);
}

/* If it is a cell of an array the address tells whether it is this one. */
static void add_place(Context *x, ContextPlaces *at, const ContextVariable *v,
                      Term address, Term guard) {
  uint64_t found = map_find(&x->memory_at, key_of(v->object, v->offset), 0);
  bool is = found && x->c.variables.data[found - 1].bits == v->bits;
  if (!is || at->count == CONTEXT_PLACES) {
    at->other = true;
    return;
  }
  const ContextVariable *is_at = &x->c.variables.data[found - 1];
  Term touches = 0;
  if (is_at->stride) {
    context_at_cell(x, is_at, address, &guard, &touches);
    at->other = true;
  }
  assert(at->count < CONTEXT_PLACES);
  at->list[at->count].variable = (uint32_t)found - 1;
  at->list[at->count].touches = touches;
  at->list[at->count++].guard = guard;
}

/* A pointer to one of several places: its value tells to which. */
static void add_targets(Context *x, const ContextPath *path, const AutoStep *s,
                        const OpAccess *access, ContextPlaces *at) {
  Targets t = pointsto_expr(x->pt, access->address);
  at->other = t.unknown;
  Term address = context_value(x, path, s->frame, access->address);
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *to = &t.targets[i];
    ContextVariable v = {.object = pointsto_object(x->pt, to->object),
                         .offset = to->offset,
                         .bits = access->size * 8};
    bool one = !to->function && v.object && v.object == to->object &&
               v.offset != OFFSET_ANY && context_has_address(x, v.object);
    if (!one) {
      at->other = true;
      continue;
    }
    Term is =
        term_add(x->t, context_address(x, v.object), term_const(x->t, 64, v.offset));
    add_place(x, at, &v, address, term_eq(x->t, term_fit(x->t, address, 64), is));
    at->other = at->other || context_is_heap(x, v.object);
  }
}

void context_places(Context *x, const ContextPath *path, const AutoStep *s,
                    ContextPlaces *ret) {
  ContextVariable v;
  OpAccess access;
  *ret = (ContextPlaces){0};
  if (place_of(x, s, &v, &access))
    add_place(x, ret, &v, context_value(x, path, s->frame, access.address),
              term_bool(x->t, true));
  else if (access.size)
    add_targets(x, path, s, &access, ret);
  else
    ret->other = true;
}

Term context_load(Context *x, const ContextPath *path, const AutoStep *step,
                  const ContextPlaces *at, uint32_t size) {
  Term value = at->count ? 0 : context_constant(x, step);
  if (!value && (at->other || !at->count)) value = context_any(x, size * 8);
  for (uint32_t i = at->count; i-- > 0;) {
    Term here = context_get(x, path, at->list[i].variable);
    value = value ? term_ite(x->t, at->list[i].guard, here, value) : here;
  }
  assert(value && term_bits(x->t, value) == size * 8);
  return value;
}

void context_store(Context *x, ContextPath *path, const ContextPlaces *at, Term value) {
  for (uint32_t i = 0; i < at->count; i++) {
    Term old = context_get(x, path, at->list[i].variable);
    Term new = term_fit(x->t, value, term_bits(x->t, old));
    if (at->list[i].touches)
      old =
          term_ite(x->t, at->list[i].touches, context_any(x, term_bits(x->t, old)), old);
    context_put(x, path, at->list[i].variable,
                term_ite(x->t, at->list[i].guard, new, old));
  }
}

typedef struct {
  Context *x;
  ContextPath *path;
  const ContextPlaces *known;
  uint32_t sync_bytes;
  ObjectId made; /* it is allocated: context_allocate says what is in it */
} Spoiler;

static bool is_among(const ContextPlaces *places, uint32_t variable) {
  for (uint32_t i = 0; places && i < places->count; i++)
    if (places->list[i].variable == variable) return true;
  return false;
}

static bool may_write(const Context *x, const ContextVariable *v, const Touch *t,
                      uint32_t sync_bytes) {
  bool sync = t->kind & TOUCH_SYNC;
  uint32_t size = sync ? sync_bytes : t->size;
  if (!sync && !(t->kind & TOUCH_WRITE)) return false;
  if (!t->key) return pointsto_escapes(x->pt, v->object);
  if (t->key != v->object) return false;
  if (t->offset == OFFSET_ANY || !size) return true;
  PlaceExtent a = pointsto_extent(x->pt, v->object, t->offset, size, false);
  PlaceExtent b = pointsto_extent(x->pt, v->object, v->offset, v->bits / 8, true);
  return a.from < b.to && b.from < a.to;
}

static void spoil(void *user, const Touch *touch) {
  const Spoiler *y = user;
  Context *x = y->x;
  if ((touch->kind & TOUCH_NEW) && touch->key && touch->key == y->made) return;
  context_heap_touched(x, y->path, touch);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what == IS_MEMORY && !is_among(y->known, i) &&
        may_write(x, v, touch, y->sync_bytes))
      context_put(x, y->path, i, context_any(x, v->bits));
  }
}

/* As many bytes of an object of synchronisation as the library may write when it is used. */
static uint32_t sync_bytes(const Edge *e) {
  enum { MUTEX = 40, RWLOCK = 56, OTHER = 32, WORD = 4 };
  if (e->op == OP_ONCE || e->lock == LOCK_SPIN) return WORD;
  if (e->lock == LOCK_RW) return RWLOCK;
  return e->lock == LOCK_MUTEX || e->op == OP_WAIT ? MUTEX : OTHER;
}

void context_spoil(Context *x, ContextPath *path, const AutoStep *step,
                   const ContextPlaces *known) {
  bool zeroed;
  uint32_t bytes = sync_bytes(program_edge(x->p, step->edge));
  Spoiler y = {x, path, known, bytes, context_allocates(x, step, &zeroed)};
  automaton_touches(x->automata, step, spoil, &y);
}

/* ---- the beginning ---- */

typedef struct {
  Context *x;
  uint32_t sync_bytes;
} Writes;

static void note_write(void *user, const Touch *t) {
  const Writes *w = user;
  Touch touch = *t;
  if (!(t->kind & (TOUCH_WRITE | TOUCH_SYNC))) return;
  if (t->kind & TOUCH_SYNC) touch.size = w->sync_bytes;
  touch.kind = TOUCH_WRITE;
  vec_push(&w->x->writes, touch);
}

/* Everything that the program writes, and nobody cut away. */
static void find_writes(Context *x) {
  const Program *p = x->q->program;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    Writes w = {x, sync_bytes(program_edge(p, e))};
    if (pointsto_is_reachable(x->pt, p->nodes.data[p->edges.data[e].from].function))
      touch_visit(p, x->pt, e, note_write, &w);
  }
  x->writes_known = true;
}

Term context_constant(Context *x, const AutoStep *s) {
  ContextVariable v;
  OpAccess access;
  if (!place_of(x, s, &v, &access)) return 0;
  const Object *o = &x->p->objects.data[v.object];
  uint32_t size = v.bits / 8;
  if (o->kind != OBJECT_GLOBAL || (o->flags & (OBJECT_DYNAMIC | OBJECT_LITERAL)) ||
      v.offset >= o->size || size > o->size - v.offset ||
      v.object == x->p->errno_object ||
      pointsto_place_step(x->pt, v.object, v.offset) != 0)
    return 0;
  if (!x->writes_known) find_writes(x);
  for (uint32_t i = 0; i < x->writes.len; i++)
    if (may_write(x, &v, &x->writes.data[i], 0)) return 0;
  const Program *p = x->p;
  bool outside = p->main && (p->functions.data[p->main].flags & FUNCTION_INTERNAL) &&
                 pointsto_escapes(x->pt, v.object);
  return outside ? 0 : context_initial(x, v.object, v.offset, size);
}

Term context_initial(Context *x, ObjectId object, uint64_t offset, uint32_t size) {
  const Object *o = &x->p->objects.data[object];
  uint64_t value = 0;
  if ((o->kind != OBJECT_GLOBAL && o->kind != OBJECT_TLS) || size > sizeof value ||
      (o->flags & OBJECT_EXTERNAL))
    return 0;
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = &x->p->relocs.data[o->first_reloc + i];
    if (r->offset >= offset + size || offset >= r->offset + r->size) continue;
    const ContextPath nowhere = {0};
    Term address = context_value(x, &nowhere, 0, r->target);
    bool whole = r->offset == offset && r->size == size;
    return whole && term_bits(x->t, address) == size * 8 ? address : 0;
  }
  for (uint32_t i = 0; i < size && offset + i < o->init_size; i++)
    value |= (uint64_t)x->p->bytes.data[o->init + offset + i] << (8 * i);
  return term_const(x->t, size * 8, value);
}
