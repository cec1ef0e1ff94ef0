/* See confirm.h.
 *
 * The edges are those of every happens-before detector: from a release of an object to
 * each later acquisition of it, from creation to start, from end to join. A shared release
 * of a read-write lock is seen by exclusive acquisitions only. All atomic operations
 * synchronise: the runtime makes them sequentially consistent. */
#include "predict/confirm.h"

typedef struct {
  uint32_t known[2]; /* so many steps of each of the two happened before */
} Clock;

typedef struct {
  const Schedule *s;
  Clock *threads;
  Map objects;   /* address × 2 (+ 1: shared releases) → index + 1 into clocks */
  StrMap shared; /* thread and address of the read locks that are held */
  VEC(Clock) clocks;
  uint32_t taken[2]; /* steps of the two */
  Confirmation found;
} Walk;

static Clock *clock_at(Walk *w, uint64_t address, bool shared) {
  uint64_t *slot = map_at(&w->objects, address << 1 | shared);
  if (!*slot) {
    vec_push(&w->clocks, (Clock){0});
    *slot = w->clocks.len;
  }
  return &w->clocks.data[*slot - 1];
}

static void join(Clock *to, const Clock *from) {
  for (int k = 0; k < 2; k++)
    if (to->known[k] < from->known[k]) to->known[k] = from->known[k];
}

static void acquire(Walk *w, uint32_t thread, uint64_t address, bool shared_too) {
  if (!address) return;
  join(&w->threads[thread], clock_at(w, address, false));
  if (shared_too) join(&w->threads[thread], clock_at(w, address, true));
}

static void release(Walk *w, uint32_t thread, uint64_t address, bool shared) {
  if (address) join(clock_at(w, address, shared), &w->threads[thread]);
}

static uint64_t *read_lock(Walk *w, uint32_t thread, uint64_t address) {
  uint64_t key[2] = {thread, address};
  return strmap_at(&w->shared, (const char *)key, sizeof key);
}

static void acquire_for(Walk *w, const ControlStep *step, const ScheduleObject *o) {
  switch (step->op) {
  case TRACE_READ_LOCK: acquire(w, step->thread, o->address, false); break;
  case TRACE_LOCK:
  case TRACE_SEM_WAIT:
  case TRACE_BARRIER_EXIT:
  case TRACE_ONCE_SEEN:
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_RMW:
  case TRACE_AFTER: acquire(w, step->thread, o->address, true); break;
  case TRACE_WOKEN: acquire(w, step->thread, o->address, true); /* fall through */
  case TRACE_TIMED_OUT: acquire(w, step->thread, o->mutex, true); break;
  case TRACE_JOIN:
    if (o->thread != CONTROL_NO_THREAD)
      join(&w->threads[step->thread], &w->threads[o->thread]);
    break;
  default: break;
  }
}

static void release_for(Walk *w, const ControlStep *step, const ScheduleObject *o) {
  switch (step->op) {
  case TRACE_READ_LOCK: *read_lock(w, step->thread, o->address) = 1; break;
  case TRACE_UNLOCK: {
    uint64_t *shared = read_lock(w, step->thread, o->address);
    release(w, step->thread, o->address, *shared != 0);
    *shared = 0;
    break;
  }
  case TRACE_WAIT: release(w, step->thread, o->mutex, false); break;
  case TRACE_SIGNAL:
  case TRACE_BROADCAST:
  case TRACE_SEM_POST:
  case TRACE_BARRIER_ENTER:
  case TRACE_ONCE_END:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW:
  case TRACE_BEFORE: release(w, step->thread, o->address, false); break;
  case TRACE_CREATE:
    if (o->thread != CONTROL_NO_THREAD)
      join(&w->threads[o->thread], &w->threads[step->thread]);
    break;
  default: break;
  }
}

/* A step acquires, is done, and releases: what it releases, it belongs to. */
static void walk_step(Walk *w, uint32_t i) {
  static const ScheduleObject unknown = {.thread = CONTROL_NO_THREAD};
  const ControlStep *step = &w->s->steps.data[i];
  const ScheduleObject *o = i < w->s->objects.len ? &w->s->objects.data[i] : &unknown;
  const ControlHold *hold = w->s->hold;
  uint32_t before[2];
  for (int k = 0; k < 2; k++) before[k] = w->threads[hold[k].thread].known[1 - k];
  acquire_for(w, step, o);
  for (int k = 0; k < 2; k++)
    if (hold[k].thread == step->thread) w->threads[step->thread].known[k] = ++w->taken[k];
  release_for(w, step, o);
  for (int k = 0; k < 2; k++)
    if (w->threads[hold[k].thread].known[1 - k] > before[k]) w->found.link[k].acquire = i;
}

/* The n-th step of a thread. */
static uint32_t step_of(const Schedule *s, uint32_t thread, uint32_t n) {
  for (uint32_t i = 0; i < s->steps.len; i++)
    if (s->steps.data[i].thread == thread && n-- == 1) return i;
  return NO_STEP;
}

static const char *judge(const Walk *w, const Control *c) {
  const ControlPlace *a = &c->places[0], *b = &c->places[1];
  const Schedule *s = w->s;
  for (int k = 0; k < 2 && !s->anyone; k++) {
    /* An access comes after so many steps of its thread, and before the next of them: who
     * knows of that one comes after the access. */
    if (w->threads[s->hold[1 - k].thread].known[k] > s->hold[k].events)
      return "one access happens before the other";
    if (c->places[k].thread != s->hold[k].thread || w->taken[k] != s->hold[k].events)
      return "a thread did not stand where the schedule says";
  }
  if (a->thread == b->thread) return "both accesses are one thread's";
  if (a->object >= b->object + b->size || b->object >= a->object + a->size)
    return "the accesses do not meet in memory";
  if (!a->write && !b->write) return "both accesses only read";
  if (a->atomic && b->atomic) return "both accesses are atomic";
  return NULL;
}

Confirmation confirm_race(const Schedule *s, const Control *c) {
  Walk w = {.s = s, .found = {.link = {{NO_STEP, NO_STEP}, {NO_STEP, NO_STEP}}}};
  uint32_t done = c->at < s->steps.len ? c->at : s->steps.len;
  if (s->hold_count != 2) {
    w.found.refuted = "the schedule holds no two threads";
    return w.found;
  }
  if (s->anyone) { /* no step says who knew of whom */
    w.found.refuted = judge(&w, c);
    return w.found;
  }
  w.threads = mem_alloc_zero((s->threads.len + 1) * sizeof *w.threads);
  for (uint32_t i = 0; i < done; i++) walk_step(&w, i);
  w.found.refuted = judge(&w, c);
  for (int k = 0; k < 2; k++) {
    const Clock *clock = &w.threads[s->hold[k].thread];
    if (w.found.link[k].acquire != NO_STEP)
      w.found.link[k].release = step_of(s, s->hold[1 - k].thread, clock->known[1 - k]);
  }
  mem_free(w.threads);
  map_free(&w.objects);
  strmap_free(&w.shared);
  vec_free(&w.clocks);
  return w.found;
}
