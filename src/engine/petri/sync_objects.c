/* Objects of synchronisation: which one an operand means, and what calls on them return.
 *
 * An object is followed (a SyncObject) only if every operand that may designate it does so
 * exactly: one instance, one offset. If some operand is vague, all objects that it may
 * mean are blurred: none of them is followed, every operation on them goes through
 * without waiting. That allows more than the program does, never less. */
#include "engine/petri/translate.h"

#include "model/refusal.h"
#include "model/sync.h"

#include <errno.h>

void sync_objects_blur(Translation *t, ObjectId object) {
  if (t->w->blurred[object]) return;
  t->w->blurred[object] = 1;
  t->restart = true;
}

static int thing_at(Translation *t, Family family, ObjectId object, uint32_t offset) {
  for (uint32_t i = 0; i < t->sync_objects.len; i++) {
    const SyncObject *x = &t->sync_objects.data[i];
    if (x->family == family && x->object == object && x->offset == offset) return (int)i;
  }
  SyncObject fresh = {.family = family, .object = object, .offset = offset};
  vec_push(&t->sync_objects, fresh);
  if (family == FAMILY_LOCK) guarded_start(t, t->sync_objects.len - 1);
  return (int)t->sync_objects.len - 1;
}

uint32_t sync_objects_section(Translation *t) {
  return (uint32_t)thing_at(t, FAMILY_SECTION, 0, 0);
}

static bool is_inside(const Translation *t, const Spot *at) {
  enum { LARGEST = 1 << 20 };
  const Object *o = vec_at(&t->p->objects, at->object);
  return at->offset < (o->flags & OBJECT_DYNAMIC ? LARGEST : o->size);
}

StepResult sync_objects_find(Translation *t, LocalState *s, ExprId operand, Family family,
                             int *ret_thing) {
  AbsValue v = local_eval(t->w, s, operand);
  bool exact;
  *ret_thing = SYNC_OBJECT_NONE;
  vec_clear(&t->spots);
  StepResult out = pn_memory_find(t, v, operand, &exact);
  if (out != STEP_ON) return out;
  const Spot *at = &t->spots.data[0];
  bool inside = exact && is_inside(t, at);
  if (inside && t->w->single[at->object] && !t->w->blurred[at->object]) {
    *ret_thing = thing_at(t, family, at->object, (uint32_t)at->offset);
    return STEP_ON;
  }
  /* one instance of several at an exact place is no instance of another object */
  if (inside) return STEP_ON;
  for (uint32_t i = 0; i < t->spots.len; i++)
    sync_objects_blur(t, t->spots.data[i].object);
  return STEP_ON;
}

/* ---- memory under them ---- */

void sync_objects_note_writes(Translation *t) {
  for (uint32_t i = 0; i < t->writes.len; i++) {
    const Write *x = &t->writes.data[i];
    for (uint32_t k = 0; k < x->count; k++) {
      const Spot *spot = &t->spots.data[x->first + k];
      bool known = x->exact && x->size;
      bool zero = known && abs_is_number(x->value) && x->value.num == 0;
      uint64_t from = known ? spot->offset : 0;
      uint64_t to = known ? spot->offset + x->size : UINT64_MAX;
      bool seen = false;
      for (uint32_t n = 0; n < t->overwritten.len && !seen; n++)
        seen = t->overwritten.data[n].object == spot->object &&
               t->overwritten.data[n].from == from && t->overwritten.data[n].to == to &&
               t->overwritten.data[n].zero == zero;
      if (seen) continue;
      vec_push(&t->overwritten, (Overwritten){spot->object, from, to, zero});
    }
  }
}

/* A semaphore that is overwritten may have any value afterwards (unless by zeros), a
 * one-time control may let its function run again. Locks and barriers in use must not be
 * overwritten, and what is not in use is free already. */
static bool is_spoilt(const Translation *t, const SyncObject *x) {
  if (x->family != FAMILY_SEMAPHORE && x->family != FAMILY_ONCE) return false;
  for (uint32_t i = 0; i < t->overwritten.len; i++) {
    if (t->overwritten.data[i].object != x->object ||
        t->overwritten.data[i].from > x->offset + 3u ||
        t->overwritten.data[i].to <= x->offset)
      continue;
    if (x->family == FAMILY_ONCE || !t->overwritten.data[i].zero) return true;
  }
  return false;
}

static bool starts_at_zero(const Translation *t, const SyncObject *x) {
  const Object *o = vec_at(&t->p->objects, x->object);
  if (o->kind != OBJECT_GLOBAL || x->offset + 4u > o->size) return true;
  AbsValue v = facts_initial(t->w->facts, x->object, x->offset, 4);
  return abs_is_number(v) && v.num == 0;
}

bool sync_objects_review(Translation *t) {
  for (uint32_t i = 0; i < t->sync_objects.len; i++) {
    const SyncObject *x = &t->sync_objects.data[i];
    bool zero_first = x->family == FAMILY_SEMAPHORE || x->family == FAMILY_ONCE;
    if ((x->family == FAMILY_BARRIER && !x->count) || is_spoilt(t, x) ||
        (zero_first && !starts_at_zero(t, x)))
      sync_objects_blur(t, x->object);
    for (uint32_t k = 0; k < i; k++) /* one object of two families */
      if (t->sync_objects.data[k].object == x->object &&
          t->sync_objects.data[k].offset == x->offset &&
          t->sync_objects.data[k].family != x->family)
        sync_objects_blur(t, x->object);
  }
  return t->restart;
}

/* ---- results ---- */

static SyncReturn result_of(const Translation *t, const Edge *e, ResultKind kind) {
  bool timed = e->attempt == ATTEMPT_TIMED;
  switch (kind) {
  case SYNC_FAILED: return sync_return(t->p, e, timed ? RESULT_TIMEOUT : RESULT_BUSY, 0);
  case SYNC_NO_TIME: return sync_return(t->p, e, RESULT_ERROR, EINVAL);
  case SYNC_SPECIAL: return sync_return(t->p, e, RESULT_SPECIAL, 0);
  case SYNC_OK:
  case SYNC_ANY: break;
  }
  return sync_return(t->p, e, RESULT_OK, 0);
}

StepResult sync_objects_finish(Translation *t, LocalState *s, const Edge *e,
                               ResultKind kind) {
  SyncReturn ret = result_of(t, e, kind);
  bool open = kind == SYNC_ANY || (kind == SYNC_OK && refusal_is_possible(t->p, e));
  if (ret.has_value && !open)
    local_set(t->w, s, e->dst, abs_number((uint64_t)ret.value));
  else if (ret.has_value || (e->dst && !e->aux))
    local_set(t->w, s, e->dst, abs_top());
  if (!e->to) return STEP_PRUNED;
  local_go(s, e->to);
  return STEP_ON;
}
