/* The variables of synchronisation, and whom an event is about. See rounds_internal.h.
 *
 * Ghost variables have a present value like cells of memory; they belong to an object, to a thread, or
 * (READS) to both. What the address of an event is decides whose variables it works on. */
#include "engine/kiss/rounds_internal.h"

enum { NARROW = GHOST_NARROW, WIDE = GHOST_WIDE };

uint32_t ghost_width(uint32_t ghost) {
  return ghost == GHOST_VALUE || ghost == GHOST_SIZE || ghost == GHOST_MISSING ||
                 ghost == GHOST_PLACE
             ? WIDE
             : NARROW;
}

/* Variables of objects, of threads, and (READS) of both. */
static uint64_t ghost_key(uint32_t ghost, uint32_t object, uint32_t thread) {
  return ((uint64_t)ghost << 56) | ((uint64_t)(object + 1) << 24) | (thread + 1);
}

static Term bytes_of(Rounds *r, uint32_t object, uint64_t at, uint32_t size) {
  const SyncObject *o = &r->objects.data[object];
  return seq_start(r->seq, o->instance, o->offset + at, size);
}

/* What a variable is before the first event, as the bytes of its object say. */
static Term start_value(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread) {
  Terms *t = r->t;
  Term zero = term_const(t, ghost_width(ghost), 0);
  if (ghost == GHOST_KNOWN && thread == 0) return term_const(t, NARROW, 1); /* main */
  if (object == NO_OBJECT) return zero;
  const SyncObject *o = &r->objects.data[object];
  uint64_t size = r->seq->instances.data[o->instance].size;
  if (size && o->offset + MUTEX_KIND_OFFSET + MUTEX_KIND_BYTES <= size &&
      ghost == GHOST_TYPE) {
    uint64_t kind;
    Term bytes = bytes_of(r, object, MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
    if (term_get_const(t, bytes, &kind))
      return term_const(t, NARROW, mutex_type_of_kind(kind));
    return r->seq->whole ? term_var(t, NARROW, "type") : zero;
  }
  if (ghost == GHOST_VALUE) return bytes_of(r, object, SEM_VALUE_OFFSET, SEM_VALUE_BYTES);
  if (ghost == GHOST_DONE) {
    Term flag = bytes_of(r, object, 0, ONCE_BYTES);
    return term_zext(t, term_eq(t, flag, term_const(t, 32, ONCE_DONE)), NARROW);
  }
  return zero;
}

static uint32_t ghost_slot(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread) {
  uint64_t key = ghost_key(ghost, object, thread);
  if (!map_get(&r->ghosts, key))
    map_put(&r->ghosts, key, slot_new(r, start_value(r, ghost, object, thread)) + 1);
  return (uint32_t)map_find(&r->ghosts, key, 0) - 1;
}

Term ghost_get(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread) {
  return slot_read(r, ghost_slot(r, ghost, object, thread), r->here);
}

void ghost_set(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread,
               Term condition, Term value) {
  slot_write(r, ghost_slot(r, ghost, object, thread), condition, value);
}

/* ---- whom an event is about ---- */

static uint32_t object_of(Rounds *r, uint32_t instance, uint64_t offset) {
  uint64_t key = (uint64_t)instance << 32 | offset;
  uint64_t *slot = map_at(&r->object_at, key);
  if (!*slot) {
    vec_push(&r->objects, (SyncObject){instance, offset});
    *slot = r->objects.len;
  }
  return (uint32_t)*slot - 1;
}

typedef VEC(SyncPlaceOf) SyncPlacesOf;

/* *left gets when it is an object of which nothing is known. */
static void objects_at(Rounds *r, Term address, ExprId pointer, SyncPlacesOf *ret,
                       Term *left) {
  Term unknown;
  vec_clear(ret);
  bool known = seq_places_or(r->seq, address, pointer, 1, &r->found, &unknown);
  *left = term_or(r->t, *left, unknown);
  if (!known) return;
  for (uint32_t i = 0; i < r->found.len; i++) {
    const SeqPlace *p = &r->found.data[i];
    vec_push(ret, (SyncPlaceOf){object_of(r, p->instance, p->offset), p->guard});
  }
}

void subjects_of(Rounds *r, const SeqEvent *e, Subjects *ret, Term *ret_left) {
  const Edge *edge = program_edge(r->seq->program, e->edge);
  Terms *t = r->t;
  vec_clear(ret);
  *ret_left = term_bool(t, false);
  if (op_sync_kind((OpKind)edge->op) == SYNC_THREAD) {
    Subject s = {NO_OBJECT, NO_OBJECT, NONE, term_bool(t, true)};
    if (edge->op == OP_CREATE || !e->address) {
      vec_push(ret, s);
      return;
    }
    Term id = term_fit(t, e->address, 64);
    for (s.other = 0; s.other < r->seq->threads.len; s.other++) {
      s.guard = term_eq(t, id, r->seq->threads.data[s.other].id);
      if (term_is_true(t, s.guard)) vec_clear(ret); /* then it is none of the others */
      if (!term_is_false(t, s.guard)) vec_push(ret, s);
      if (term_is_true(t, s.guard)) return;
    }
    return;
  }
  SyncPlacesOf objects = {0}, locks = {0};
  objects_at(r, e->address, e->pointer, &objects, ret_left);
  if (e->lock) objects_at(r, e->lock, e->lock_pointer, &locks, ret_left);
  for (uint32_t i = 0; i < objects.len; i++) {
    Subject s = {objects.data[i].object, NO_OBJECT, NO_OBJECT, objects.data[i].guard};
    if (!e->lock) vec_push(ret, s);
    for (uint32_t k = 0; k < locks.len; k++) {
      s.lock = locks.data[k].object;
      s.guard = term_and(t, objects.data[i].guard, locks.data[k].guard);
      vec_push(ret, s);
    }
  }
  vec_free(&objects);
  vec_free(&locks);
}
