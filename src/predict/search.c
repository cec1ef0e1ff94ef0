/* Threads are chains of events; a lock, a condition variable, a semaphore, a barrier, a
 * pthread_once, an atomic variable, and each pair of steps that is ordered in every run
 * are small machines. Unlike in the paper a condition variable is not taken apart into
 * instances, but counts who waits and who may go on; and an atomic variable has the
 * values that were seen, so that an order in which a branch would read something else is
 * none.
 *
 * "Both before their accesses at once" is one event that all target threads do together
 * at the end of their chains; the rule forbids it. */
#include "predict/search.h"

#include "csp/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARCS = 1 << 20 };

typedef VEC(CspArc) Arcs;
typedef VEC(uint32_t) Numbers;

struct OrderSearch {
  const Run *run;
  CspSystem *system;
  CspQuestion question;
  uint32_t together; /* the event of all targets, or UINT32_MAX */
};

typedef struct {
  const Run *run;
  const uint32_t *length;
  CspSystem *system;
  StrMap events;
  Numbers *of_object; /* per object: the steps at it */
  uint32_t *event_of; /* per step */
  uint64_t arcs;
} Builder;

/* ---- events ----------------------------------------------------------------------- */

typedef struct {
  uint32_t thread, op, object, extra;
  uint64_t before, after;
} EventKey;

static uint32_t event_for(Builder *b, uint32_t index) {
  const Step *s = &b->run->steps.data[index];
  EventKey key = {.thread = s->thread, .op = s->op, .object = s->object};
  if (s->op == TRACE_CREATE || s->op == TRACE_JOIN || s->op == TRACE_BEFORE ||
      s->op == TRACE_AFTER)
    key.extra = index + 1;
  if (s->op == TRACE_WAIT || s->op == TRACE_WOKEN || s->op == TRACE_TIMED_OUT)
    key.extra = s->lock * 2 + s->spurious;
  if (s->releases && s->partner == NO_STEP) key.extra = UINT32_MAX;
  if (s->releases && s->shared) key.extra = UINT32_MAX - 1;
  if (b->run->objects.data[s->object].kind == OBJECT_ATOMIC) {
    key.before = s->op == TRACE_ATOMIC_STORE ? 0 : s->before;
    key.after = s->after;
    key.extra = s->loose;
  }
  uint64_t *known = strmap_at(&b->events, (const char *)&key, sizeof key);
  if (!*known) {
    char name[64];
    snprintf(name, sizeof name, "%s.t%u.%u", trace_op_word(s->op), s->thread, s->object);
    uint32_t event = csp_system_add_event(b->system, name);
    *strmap_at(&b->events, (const char *)&key, sizeof key) = event + 1;
    return event;
  }
  return (uint32_t)(*known - 1);
}

static bool taken(const Builder *b, uint32_t step) {
  const Step *s = &b->run->steps.data[step];
  return s->place < b->length[s->thread];
}

static void arc(Builder *b, Arcs *arcs, uint32_t from, uint32_t step, uint32_t to) {
  CspArc fresh = {from, b->event_of[step], to};
  vec_push(arcs, fresh);
  b->arcs++;
}

/* One step for each different event at an object. */
static Numbers distinct(const Builder *b, uint32_t object) {
  Numbers found = {0};
  Map seen = {0};
  const Numbers *all = &b->of_object[object];
  for (uint32_t i = 0; i < all->len; i++) {
    uint64_t *known = map_at(&seen, b->event_of[all->data[i]]);
    if (!*known) vec_push(&found, all->data[i]);
    *known = 1;
  }
  map_free(&seen);
  return found;
}

static uint32_t count_threads(const Builder *b, const Numbers *steps, TraceOp op) {
  Map seen = {0};
  for (uint32_t i = 0; i < steps->len; i++)
    if (b->run->steps.data[steps->data[i]].op == op)
      *map_at(&seen, b->run->steps.data[steps->data[i]].thread) = 1;
  uint32_t count = seen.len;
  map_free(&seen);
  return count;
}

/* ---- machines --------------------------------------------------------------------- */

/* Moment 0 is free, 1 written, 1 + n read by n threads. */
static void lock_arcs(Builder *b, const Numbers *steps, Arcs *arcs) {
  uint32_t readers = count_threads(b, steps, TRACE_READ_LOCK);
  for (uint32_t i = 0; i < steps->len; i++) {
    const Step *s = &b->run->steps.data[steps->data[i]];
    if (s->acquires && !s->shared) arc(b, arcs, 0, steps->data[i], 1);
    if (s->releases && !s->shared && s->partner != NO_STEP)
      arc(b, arcs, 1, steps->data[i], 0);
    for (uint32_t n = 0; s->shared && n < readers; n++) {
      uint32_t from = n ? n + 1 : 0;
      if (s->acquires) arc(b, arcs, from, steps->data[i], n + 2);
      if (s->releases && s->partner != NO_STEP) arc(b, arcs, n + 2, steps->data[i], from);
    }
  }
}

static uint32_t pair(uint32_t waiters, uint32_t tokens) {
  return waiters * (waiters + 1) / 2 + tokens;
}

static void condition_arcs(Builder *b, const Numbers *steps, Arcs *arcs) {
  uint32_t most = count_threads(b, steps, TRACE_WAIT);
  for (uint32_t i = 0; i < steps->len && b->arcs < MOST_ARCS; i++) {
    const Step *s = &b->run->steps.data[steps->data[i]];
    for (uint32_t w = 0; w <= most && b->arcs < MOST_ARCS; w++)
      for (uint32_t k = 0; k <= w; k++) {
        uint32_t left = w ? w - 1 : 0;
        if (s->op == TRACE_WAIT && w < most)
          arc(b, arcs, pair(w, k), steps->data[i], pair(w + 1, k));
        else if (s->op == TRACE_SIGNAL)
          arc(b, arcs, pair(w, k), steps->data[i], pair(w, k < w ? k + 1 : k));
        else if (s->op == TRACE_BROADCAST)
          arc(b, arcs, pair(w, k), steps->data[i], pair(w, w));
        else if (s->op == TRACE_WOKEN && w && (k || s->spurious))
          arc(b, arcs, pair(w, k), steps->data[i], pair(left, k ? k - 1 : 0));
        else if (s->op == TRACE_TIMED_OUT && w)
          arc(b, arcs, pair(w, k), steps->data[i], pair(left, k < left ? k : left));
      }
  }
}

static void semaphore_arcs(Builder *b, const Numbers *steps, uint32_t object,
                           Arcs *arcs) {
  uint32_t initial = b->run->objects.data[object].initial, waits = 0, posts = 0;
  const Numbers *all = &b->of_object[object];
  for (uint32_t i = 0; i < all->len; i++) {
    waits += b->run->steps.data[all->data[i]].op == TRACE_SEM_WAIT;
    posts += b->run->steps.data[all->data[i]].op == TRACE_SEM_POST;
  }
  /* More than all waits together is as good as that many. Moment 0 is the initial value.
   */
  uint32_t most = initial + posts < waits ? initial + posts : waits;
  if (initial > most) initial = most;
  for (uint32_t v = 0; v <= most && b->arcs < MOST_ARCS; v++)
    for (uint32_t i = 0; i < steps->len; i++) {
      const Step *s = &b->run->steps.data[steps->data[i]];
      uint32_t up = v < most ? v + 1 : most, at = v == initial  ? 0
                                                  : v < initial ? v + 1
                                                                : v;
      uint32_t above = up == initial ? 0 : up < initial ? up + 1 : up;
      uint32_t down = v ? v - 1 : 0, below = down == initial  ? 0
                                             : down < initial ? down + 1
                                                              : down;
      if (s->op == TRACE_SEM_POST) arc(b, arcs, at, steps->data[i], above);
      if (s->op == TRACE_SEM_WAIT && v) arc(b, arcs, at, steps->data[i], below);
    }
}

static void barrier_arcs(Builder *b, const Numbers *steps, uint32_t object, Arcs *arcs) {
  uint32_t count = b->run->objects.data[object].initial;
  for (uint32_t i = 0; i < steps->len && count; i++)
    for (uint32_t k = 0; k < count && b->arcs < MOST_ARCS; k++) {
      const Step *s = &b->run->steps.data[steps->data[i]];
      /* k arrived → k + 1; state count + k: so many have left. */
      if (s->op == TRACE_BARRIER_ENTER) arc(b, arcs, k, steps->data[i], k + 1);
      if (s->op == TRACE_BARRIER_EXIT)
        arc(b, arcs, count + k, steps->data[i], k + 1 == count ? 0 : count + k + 1);
    }
}

static void once_arcs(Builder *b, const Numbers *steps, Arcs *arcs) {
  for (uint32_t i = 0; i < steps->len; i++) {
    const Step *s = &b->run->steps.data[steps->data[i]];
    if (s->op == TRACE_ONCE_RUN) arc(b, arcs, 0, steps->data[i], 1);
    if (s->op == TRACE_ONCE_END) arc(b, arcs, 1, steps->data[i], 2);
    if (s->op == TRACE_ONCE_SEEN && s->needs != NO_STEP)
      arc(b, arcs, 2, steps->data[i], 2);
  }
}

/* Moment 0 is the first value, which may be unknown: then any may be read. */
static void atomic_arcs(Builder *b, const Numbers *steps, uint32_t object, Arcs *arcs) {
  const Object *o = &b->run->objects.data[object];
  Map states = {0};
  if (o->value_known) map_put(&states, o->value, 0);
  uint32_t count = 1;
  for (uint32_t i = 0; i < steps->len; i++) {
    const Step *s = &b->run->steps.data[steps->data[i]];
    if (!map_get(&states, s->before)) map_put(&states, s->before, count++);
    if (!map_get(&states, s->after)) map_put(&states, s->after, count++);
  }
  for (uint32_t i = 0; i < steps->len && b->arcs < MOST_ARCS; i++) {
    const Step *s = &b->run->steps.data[steps->data[i]];
    uint32_t to = (uint32_t)map_find(&states, s->after, 0);
    if (s->op == TRACE_ATOMIC_STORE || s->loose) {
      for (uint32_t v = 0; v < count; v++) arc(b, arcs, v, steps->data[i], to);
    } else {
      uint32_t from = (uint32_t)map_find(&states, s->before, 0);
      arc(b, arcs, from, steps->data[i], to);
      if (!o->value_known && from) arc(b, arcs, 0, steps->data[i], to);
    }
  }
  map_free(&states);
}

static void add_machine(Builder *b, uint32_t object) {
  Arcs arcs = {0};
  char name[32];
  Numbers steps = distinct(b, object);
  switch (b->run->objects.data[object].kind) {
  case OBJECT_LOCK: lock_arcs(b, &steps, &arcs); break;
  case OBJECT_CONDITION: condition_arcs(b, &steps, &arcs); break;
  case OBJECT_SEMAPHORE: semaphore_arcs(b, &steps, object, &arcs); break;
  case OBJECT_BARRIER: barrier_arcs(b, &steps, object, &arcs); break;
  case OBJECT_ONCE: once_arcs(b, &steps, &arcs); break;
  case OBJECT_ATOMIC: atomic_arcs(b, &steps, object, &arcs); break;
  default: break;
  }
  snprintf(name, sizeof name, "o%u", object);
  if (arcs.len) csp_system_add_object(b->system, name, arcs.data, arcs.len);
  vec_free(&arcs);
  vec_free(&steps);
}

/* A step that another one must precede in every order. */
static void add_needed(Builder *b, uint32_t step) {
  const Step *s = &b->run->steps.data[step];
  if (s->needs == NO_STEP || s->op == TRACE_ONCE_SEEN || !taken(b, s->needs)) return;
  CspArc arcs[] = {{0, b->event_of[s->needs], 1}, {1, b->event_of[step], 2}};
  csp_system_add_object(b->system, "order", arcs, 2);
}

/* ---- the system ------------------------------------------------------------------- */

static void collect(Builder *b) {
  for (uint32_t i = 0; i < b->run->steps.len; i++) {
    const Step *s = &b->run->steps.data[i];
    if (!taken(b, i)) continue;
    b->event_of[i] = event_for(b, i);
    if (s->object) vec_push(&b->of_object[s->object], i);
    if (s->lock && s->lock != s->object) vec_push(&b->of_object[s->lock], i);
  }
}

static void add_threads(Builder *b, const Target *targets, uint32_t count,
                        uint32_t together) {
  for (uint32_t t = 0; t < b->run->threads.len; t++) {
    Numbers chain = {0};
    for (uint32_t p = 0; p < b->length[t]; p++)
      vec_push(&chain, b->event_of[b->run->threads.data[t].steps.data[p]]);
    for (uint32_t i = 0; i < count; i++)
      if (targets[i].thread == t) vec_push(&chain, together);
    if (chain.len)
      csp_system_add_thread(b->system, b->run->trace->threads.data[t].name, chain.data,
                            chain.len);
    vec_free(&chain);
  }
}

OrderSearch *order_search_begin(const Run *run, const uint32_t *length,
                                const Target *targets, uint32_t count, uint64_t states,
                                const atomic_bool *stop) {
  uint32_t threads = 0;
  for (uint32_t t = 0; t < run->threads.len; t++) threads += length[t] > 0;
  /* A state of many threads takes as much longer. */
  states = states / (1 + threads / 16) + 1;
  CspOptions options = {.states = states, .stop = stop, .memory = UINT64_C(2) << 30};
  Builder b = {.run = run, .length = length, .system = csp_system_new(&options)};
  b.event_of = mem_alloc_zero((run->steps.len + 1) * sizeof *b.event_of);
  b.of_object = mem_alloc_zero(run->objects.len * sizeof *b.of_object);
  collect(&b);
  uint32_t together = UINT32_MAX;
  if (count) together = csp_system_add_event(b.system, "together");
  add_threads(&b, targets, count, together);
  for (uint32_t o = 1; o < run->objects.len && b.arcs < MOST_ARCS; o++)
    if (b.of_object[o].len) add_machine(&b, o);
  for (uint32_t i = 0; i < run->steps.len; i++)
    if (taken(&b, i)) add_needed(&b, i);
  if (count) csp_system_set_rule(b.system, NULL, 0, &together, 1);
  for (uint32_t o = 0; o < run->objects.len; o++) vec_free(&b.of_object[o]);
  mem_free(b.of_object);
  mem_free(b.event_of);
  strmap_free(&b.events);
  if (b.arcs >= MOST_ARCS) {
    csp_system_free(b.system);
    return NULL;
  }
  OrderSearch *search = mem_alloc_zero(sizeof *search);
  *search =
      (OrderSearch){run, b.system, count ? CSP_ASK_RULE : CSP_ASK_DEADLOCK, together};
  return search;
}

/* Threads without steps are not in the system, so its numbers are not the run's. */
static uint32_t thread_of(const OrderSearch *s, const CspRun *found, uint32_t i) {
  const char *name = csp_system_event_name(s->system, found->events[i]);
  const char *dot = strstr(name, ".t");
  return dot ? (uint32_t)strtoul(dot + 2, NULL, 10) : 0;
}

SolveAnswer order_search_next(OrderSearch *s, StepOrder *ret) {
  CspRun found;
  CspVerdict verdict = csp_system_next(s->system, s->question, &found);
  SolveAnswer answer = verdict == CSP_FAILS   ? SOLVE_FOUND
                       : verdict == CSP_HOLDS ? SOLVE_NONE
                                              : SOLVE_UNDECIDED;
  uint32_t *next = mem_alloc_zero((s->run->threads.len + 1) * sizeof *next);
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.events[i] == s->together) continue;
    uint32_t t = thread_of(s, &found, i);
    vec_push(ret, s->run->threads.data[t].steps.data[next[t]++]);
  }
  mem_free(next);
  csp_run_free(&found);
  return answer;
}

void order_search_end(OrderSearch *search) {
  if (!search) return;
  csp_system_free(search->system);
  mem_free(search);
}
