/* See skips.h. */
#include "predict/skips.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding ---------------------------------------------------------------------- */

static const TraceEvent *event_at(const Trace *trace, uint32_t thread, uint32_t place) {
  return &trace->events.data[trace->threads.data[thread].events.data[place]];
}

static uint32_t event_of(const Trace *trace, uint32_t thread, uint32_t place) {
  return trace->threads.data[thread].events.data[place];
}

/* The place of the lock of the mutex that this wait releases, or UINT32_MAX. */
static uint32_t lock_before(const Trace *trace, uint32_t thread, uint32_t wait) {
  uint64_t mutex = event_at(trace, thread, wait)->arguments[0];
  for (uint32_t p = wait; p-- > 0;) {
    const TraceEvent *e = event_at(trace, thread, p);
    if (e->op == TRACE_LOCK && e->object == mutex) return p;
    if (e->op == TRACE_WAIT || e->op == TRACE_UNLOCK) return UINT32_MAX;
  }
  return UINT32_MAX;
}

/* The last unlock of the mutex before the signal by who gave it, or UINT32_MAX: what the
 * loop asks for may have come true with that. */
static uint32_t unlock_before(const Trace *trace, uint32_t signal, uint64_t mutex) {
  const TraceEvent *given = &trace->events.data[signal];
  const TraceThread *t = &trace->threads.data[given->thread];
  for (uint32_t p = given->place; p-- > 0;) {
    const TraceEvent *e = &trace->events.data[t->events.data[p]];
    if (e->op == TRACE_UNLOCK && e->object == mutex) return t->events.data[p];
  }
  return UINT32_MAX;
}

void skips_find(const Run *run, bool early, Skips *ret) {
  const Trace *trace = run->trace;
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *exit = &run->steps.data[i];
    if (exit->op != TRACE_WAIT_EXIT || exit->place < 2) continue;
    const RunThread *t = &run->threads.data[exit->thread];
    const Step *woken = &run->steps.data[t->steps.data[exit->place - 1]];
    if (woken->op != TRACE_WOKEN || woken->matched == NO_STEP) continue;
    uint32_t behind = trace->events.data[exit->event].place, first = behind;
    while (first >= 2 && event_at(trace, exit->thread, first - 1)->op == TRACE_WOKEN &&
           event_at(trace, exit->thread, first - 2)->op == TRACE_WAIT)
      first -= 2;
    if (first == behind) continue;
    uint32_t lock = lock_before(trace, exit->thread, first);
    if (lock == UINT32_MAX) continue;
    uint32_t signal = run->steps.data[woken->matched].event;
    uint64_t mutex = event_at(trace, exit->thread, first)->arguments[0];
    if (early) signal = unlock_before(trace, signal, mutex);
    /* When the last wait began, the condition was not true. */
    if (signal == UINT32_MAX || signal < event_of(trace, exit->thread, behind - 2))
      continue;
    vec_push(ret, (Skip){exit->thread, lock, first, behind, signal});
  }
}

/* ---- applying --------------------------------------------------------------------- */

/* Where an event of the old trace goes; `gone` when nowhere. */
typedef struct {
  uint32_t event;
  uint32_t when; /* the moment of this event */
  bool gone;
} Move;

static int by_moment(const void *x, const void *y) {
  const Move *a = x, *b = y;
  if (a->when != b->when) return a->when < b->when ? -1 : 1;
  return a->event < b->event ? -1 : a->event > b->event;
}

static Move *plan(const Trace *trace, const Skip *skips, uint32_t count) {
  Move *moves = mem_alloc_zero((trace->events.len + 1) * sizeof *moves);
  for (uint32_t i = 0; i < trace->events.len; i++) moves[i] = (Move){i, i, false};
  for (uint32_t k = 0; k < count; k++) {
    const TraceThread *t = &trace->threads.data[skips[k].thread];
    uint32_t woken = t->events.data[skips[k].behind - 1];
    for (uint32_t p = skips[k].lock; p < skips[k].first; p++)
      moves[t->events.data[p]].when = woken;
    for (uint32_t p = skips[k].first; p < skips[k].behind; p++)
      moves[t->events.data[p]].gone = true;
  }
  return moves;
}

static void copy_threads(const Trace *from, Trace *to) {
  for (uint32_t i = 0; i < from->threads.len; i++) {
    TraceThread copy = from->threads.data[i];
    copy.events.data = NULL;
    copy.accesses.data = NULL;
    copy.events.len = copy.events.cap = copy.accesses.len = copy.accesses.cap = 0;
    vec_push(&to->threads, copy);
  }
}

/* An access comes behind as many events as are left of those before it. */
static void copy_accesses(const Trace *from, const Move *moves, Trace *to) {
  for (uint32_t t = 0; t < from->threads.len; t++) {
    const TraceThread *old = &from->threads.data[t];
    uint32_t passed = 0, left = 0;
    for (uint32_t i = 0; i < old->accesses.len; i++) {
      TraceAccess access = old->accesses.data[i];
      for (; passed < access.after && passed < old->events.len; passed++)
        left += !moves[old->events.data[passed]].gone;
      access.after = left;
      vec_push(&to->threads.data[t].accesses, access);
    }
  }
}

static void name_signals(const Run *run, const Skip *skips, uint32_t count,
                         const uint32_t *place_of, Trace *to) {
  for (uint32_t k = 0; k < count; k++) {
    const TraceThread *t = &run->trace->threads.data[skips[k].thread];
    uint32_t exit = place_of[t->events.data[skips[k].behind]];
    to->events.data[exit].object = place_of[skips[k].signal] + 1;
  }
}

void skips_apply(const Run *run, const Skip *skips, uint32_t count, Trace *ret) {
  const Trace *from = run->trace;
  *ret = (Trace){.arena = arena_new(),
                 .state = from->state,
                 .lost_errno = from->lost_errno,
                 .cut = from->cut,
                 .access_count = from->access_count};
  Move *moves = plan(from, skips, count);
  copy_threads(from, ret);
  copy_accesses(from, moves, ret);
  qsort(moves, from->events.len, sizeof *moves, by_moment);
  uint32_t *place_of = mem_alloc_zero((from->events.len + 1) * sizeof *place_of);
  for (uint32_t i = 0; i < from->events.len; i++) {
    if (moves[i].gone) continue;
    TraceEvent e = from->events.data[moves[i].event];
    TraceThread *t = &ret->threads.data[e.thread];
    e.place = t->events.len;
    place_of[moves[i].event] = ret->events.len;
    vec_push(&t->events, ret->events.len);
    vec_push(&ret->events, e);
  }
  name_signals(run, skips, count, place_of, ret);
  for (uint32_t i = 0; i < from->modules.len; i++)
    vec_push(&ret->modules, from->modules.data[i]);
  for (uint32_t i = 0; i < from->kinds.len; i++)
    vec_push(&ret->kinds, from->kinds.data[i]);
  mem_free(place_of);
  mem_free(moves);
}
