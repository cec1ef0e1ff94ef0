/* See unordered.h. Only one entry of each vector clock matters: whether whom it belongs to
 * knows of the first of the two accesses. */
#include "predict/unordered.h"

#include "base/map.h"
#include "base/vec.h"

/* What whoever acquires an object learns: from a store, whose thread may go on storing
 * without ending what it has released. */
typedef struct {
  bool told;
  uint32_t thread;
} Channel;

/* One thread. */
typedef struct {
  bool knows;  /* of the first access */
  bool fenced; /* … and did when it executed its last release fence */
  bool read;   /* it has found that out by a load that does not acquire, unless fenced */
} Knower;

typedef struct {
  VEC(Knower) threads;
  Map objects; /* address: index + 1 into channels */
  VEC(Channel) channels;
} Walk;

static Knower *knower(Walk *w, uint32_t thread) {
  while (w->threads.len <= thread) vec_push(&w->threads, (Knower){0});
  return &w->threads.data[thread];
}

static Channel *channel(Walk *w, uint64_t object) {
  uint64_t *slot = map_at(&w->objects, object);
  if (!*slot) {
    vec_push(&w->channels, (Channel){0});
    *slot = w->channels.len;
  }
  return &w->channels.data[*slot - 1];
}

static void acquire(Walk *w, uint32_t thread, uint64_t object) {
  knower(w, thread)->knows |= channel(w, object)->told;
}

static void release(Walk *w, uint32_t thread, uint64_t object) {
  channel(w, object)->told |= knower(w, thread)->knows;
}

/* ---- atomics, with the memory orders as compilers number them ---- */

static bool acquires(uint32_t order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE ||
         order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(uint32_t order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

static void load(Walk *w, const ControlLog *e) {
  Knower *t = knower(w, e->thread);
  bool told = channel(w, e->object)->told;
  if (acquires(e->order)) t->knows |= told;
  t->read |= told;
}

/* A read-modify-write goes on with what was released there, and so does a store of the
 * same thread; a store of another one ends it. */
static void store(Walk *w, const ControlLog *e, bool modifies) {
  const Knower *t = knower(w, e->thread);
  Channel *c = channel(w, e->object);
  bool tells = releases(e->order) ? t->knows : t->fenced;
  bool goes_on = modifies || c->thread == e->thread;
  c->told = tells || (goes_on && c->told);
  if (!modifies) c->thread = e->thread;
}

static void fence(Walk *w, const ControlLog *e) {
  Knower *t = knower(w, e->thread);
  if (acquires(e->order)) t->knows |= t->read;
  if (releases(e->order)) t->fenced = t->knows;
}

static void take(Walk *w, const ControlLog *e) {
  switch (e->op) {
  case TRACE_NONE: fence(w, e); break;
  case TRACE_CREATE:
    if (e->size < UINT16_MAX) {
      bool knows = knower(w, e->thread)->knows;
      knower(w, (uint32_t)e->size)->knows |= knows;
    }
    break;
  case TRACE_JOIN:
    if (e->size < UINT16_MAX) {
      bool knows = knower(w, (uint32_t)e->size)->knows;
      knower(w, e->thread)->knows |= knows;
    }
    break;
  case TRACE_LOCK:
  case TRACE_READ_LOCK:
  case TRACE_SEM_WAIT:
  case TRACE_BARRIER_EXIT:
  case TRACE_ONCE_SEEN:
  case TRACE_AFTER: acquire(w, e->thread, e->object); break;
  case TRACE_UNLOCK:
  case TRACE_SEM_POST:
  case TRACE_BARRIER_ENTER:
  case TRACE_ONCE_END:
  case TRACE_SIGNAL:
  case TRACE_BROADCAST:
  case TRACE_BEFORE: release(w, e->thread, e->object); break;
  case TRACE_WAIT: release(w, e->thread, e->size); break;
  case TRACE_WOKEN:
    acquire(w, e->thread, e->object);
    acquire(w, e->thread, e->size);
    break;
  case TRACE_ATOMIC_LOAD: load(w, e); break;
  case TRACE_ATOMIC_STORE: store(w, e, false); break;
  case TRACE_ATOMIC_RMW:
    load(w, e);
    store(w, e, true);
    break;
  default: break; /* nothing else orders threads */
  }
}

static bool conflict(const ControlLog *x, const ControlLog *y) {
  return x->object < y->object + y->size && y->object < x->object + x->size &&
         ((x->flags | y->flags) & TRACE_WRITE << 8) &&
         !(x->flags & y->flags & TRACE_ATOMIC << 8) && x->thread != y->thread;
}

/* From the access at `first`: does another thread's come that does not know of it? */
static bool unordered_from(Control *c, uint32_t first) {
  const ControlLog *log = control_log(c);
  Walk w = {0};
  bool found = false;
  for (uint32_t i = 0; i < c->log_count && !found; i++) {
    if (i == first) knower(&w, log[i].thread)->knows = true;
    take(&w, &log[i]);
    found = i > first && (log[i].flags & CONTROL_SECOND) &&
            conflict(&log[first], &log[i]) && !knower(&w, log[i].thread)->knows;
  }
  vec_free(&w.threads);
  vec_free(&w.channels);
  map_free(&w.objects);
  return found;
}

bool unordered_showed(Control *c) {
  const ControlLog *log = control_log(c);
  bool found = false;
  for (uint32_t i = 0; i < c->log_count && !found; i++)
    found = (log[i].flags & CONTROL_FIRST) && unordered_from(c, i);
  return found;
}
