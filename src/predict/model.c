/* See model.h. One walk names the event of each step; then each object that steps act on
 * becomes a machine. */
#include "predict/model.h"

#include <assert.h>
#include <string.h>

enum { MOST_ARCS = 1 << 20 };

typedef VEC(CspArc) Arcs;
typedef VEC(uint32_t) Numbers;

typedef struct {
  RunModel *model;
  const Run *run;
  const uint32_t *event_of;
  StrMap events;
  Numbers *of_object; /* per object: the steps at it */
  uint64_t arcs;
} Builder;

/* ---- events ----------------------------------------------------------------------- */

typedef struct {
  uint32_t thread, op, object, extra;
  uint64_t before, after;
} EventKey;

static void add_user_event(const Run *run, const Step *s, Str *out) {
  const TraceEvent *e = &run->trace->events.data[s->event];
  int64_t values[TRACE_EVENT_VALUES];
  const char *kind = trace_event_kind(run->trace, e, values);
  trace_add_event(kind ? kind : "unknown", s->thread, values, out);
}

static const char *channel_of(const Step *s) {
  switch (s->op) {
  case TRACE_CREATE: return "fork";
  case TRACE_FAILED_LOCK: return "failed_lock";
  case TRACE_READ_LOCK: return "read_lock";
  case TRACE_FAILED_READ_LOCK: return "failed_read_lock";
  case TRACE_UNLOCK:
    return s->partner == NO_STEP ? "unlock_other" : s->shared ? "read_unlock" : "unlock";
  case TRACE_WAIT: return s->partner == NO_STEP ? "wait_other" : "wait";
  case TRACE_WOKEN: return s->spurious ? "woken_spuriously" : "woken";
  case TRACE_TIMED_OUT: return "timed_out";
  case TRACE_WAIT_EXIT: return "wait_exit";
  case TRACE_BARRIER_ENTER: return "barrier_enter";
  case TRACE_BARRIER_EXIT: return "barrier_exit";
  case TRACE_SEM_WAIT: return "sem_wait";
  case TRACE_FAILED_SEM_WAIT: return "failed_sem_wait";
  case TRACE_SEM_POST: return "sem_post";
  case TRACE_ONCE_RUN: return "once_run";
  case TRACE_ONCE_END: return "once_end";
  case TRACE_ONCE_SEEN: return "once_seen";
  case TRACE_ATOMIC_LOAD: return s->loose ? "atomic_load_any" : "atomic_load";
  case TRACE_ATOMIC_STORE: return "atomic_store";
  case TRACE_ATOMIC_RMW: return s->loose ? "atomic_rmw_any" : "atomic_rmw";
  case TRACE_BEFORE: return "happens_before";
  case TRACE_AFTER: return "happens_after";
  default: return trace_op_word(s->op); /* start, end, join, lock, signal, broadcast */
  }
}

/* script.c knows the fields of each channel. */
static void add_name(const RunModel *m, const Step *s, uint32_t index, Str *out) {
  const TraceEvent *e = &m->run->trace->events.data[s->event];
  if (s->op == TRACE_EVENT) {
    add_user_event(m->run, s, out);
    return;
  }
  str_addf(out, "%s.%u", channel_of(s), s->thread);
  if (s->op == TRACE_CREATE || s->op == TRACE_JOIN)
    str_addf(out, ".%llu", (unsigned long long)e->object);
  else if (s->object)
    str_addf(out, ".%u", m->number_of[s->object]);
  switch (s->op) {
  case TRACE_WAIT:
  case TRACE_WOKEN:
  case TRACE_TIMED_OUT: str_addf(out, ".%u", m->number_of[s->lock]); break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE: str_addf(out, ".%lld", (long long)s->after); break;
  case TRACE_ATOMIC_RMW:
    str_addf(out, ".%lld.%lld", (long long)s->before, (long long)s->after);
    break;
  case TRACE_BEFORE:
  case TRACE_AFTER: str_addf(out, ".%u", index); break;
  default: break;
  }
}

static uint32_t new_event(Builder *b, const Step *s, uint32_t index, uint64_t *known) {
  Str name = {0};
  add_name(b->model, s, index, &name);
  vec_push(
      &b->model->events,
      (ModelEvent){arena_strndup(b->model->arena, str_text(&name), name.len), s->thread});
  str_free(&name);
  *known = b->model->events.len;
  return b->model->events.len - 1;
}

static uint32_t event_for(Builder *b, uint32_t index) {
  const Step *s = &b->run->steps.data[index];
  if (s->op == TRACE_EVENT) {
    Str name = {0};
    add_user_event(b->run, s, &name);
    uint64_t *known = strmap_at(&b->events, str_text(&name), name.len);
    str_free(&name);
    return *known ? (uint32_t)(*known - 1) : new_event(b, s, index, known);
  }
  EventKey key = {.thread = s->thread, .op = s->op, .object = s->object};
  if (s->op == TRACE_CREATE || s->op == TRACE_JOIN || s->op == TRACE_BEFORE ||
      s->op == TRACE_AFTER || s->wanted ||
      (s->op == TRACE_WAIT_EXIT && s->needs != NO_STEP))
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
  return *known ? (uint32_t)(*known - 1) : new_event(b, s, index, known);
}

static bool taken(const Builder *b, uint32_t step) {
  const Step *s = &b->run->steps.data[step];
  return s->place < b->model->length[s->thread];
}

static void arc(Builder *b, Arcs *arcs, uint32_t from, uint32_t step, uint32_t to) {
  assert(taken(b, step)); /* others have no event */
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
  /* Nobody posts here: a wait is an event of the machine that never happens. Without any
   * arc it would be nobody's, and free. */
  for (uint32_t i = 0; !most && i < steps->len; i++)
    if (b->run->steps.data[steps->data[i]].op == TRACE_SEM_WAIT)
      arc(b, arcs, 1, steps->data[i], 1);
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

static void keep_machine(Builder *b, uint32_t object, const Arcs *arcs) {
  ModelMachine *m = vec_extend(&b->model->machines, 1);
  m->object = object;
  for (uint32_t i = 0; i < arcs->len; i++) vec_push(&m->arcs, arcs->data[i]);
}

static void add_machine(Builder *b, uint32_t object) {
  Arcs arcs = {0};
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
  if (arcs.len) keep_machine(b, object, &arcs);
  vec_free(&arcs);
  vec_free(&steps);
}

/* A step that another one must precede in every order. */
static void add_needed(Builder *b, uint32_t step) {
  const Step *s = &b->run->steps.data[step];
  if (s->needs == NO_STEP || s->op == TRACE_ONCE_SEEN || !taken(b, s->needs)) return;
  Arcs arcs = {0};
  vec_push(&arcs, (CspArc){0, b->event_of[s->needs], 1});
  vec_push(&arcs, (CspArc){1, b->event_of[step], 2});
  keep_machine(b, 0, &arcs);
  vec_free(&arcs);
}

/* ---- the whole -------------------------------------------------------------------- */

static void number_objects(RunModel *m) {
  uint32_t next[OBJECT_ORDER + 1] = {0};
  for (uint32_t i = 1; i < m->run->objects.len; i++)
    m->number_of[i] = next[m->run->objects.data[i].kind]++;
}

static void collect(Builder *b) {
  for (uint32_t i = 0; i < b->run->steps.len; i++) {
    const Step *s = &b->run->steps.data[i];
    if (!taken(b, i)) continue;
    b->model->event_of[i] = event_for(b, i);
    if (s->object) vec_push(&b->of_object[s->object], i);
    if (s->lock && s->lock != s->object) vec_push(&b->of_object[s->lock], i);
  }
}

bool run_model_init(RunModel *m, const Run *run, const uint32_t *length, bool blind) {
  *m = (RunModel){.run = run, .arena = arena_new()};
  m->length = mem_alloc_zero((run->threads.len + 1) * sizeof *m->length);
  m->event_of = mem_alloc_zero((run->steps.len + 1) * sizeof *m->event_of);
  m->number_of = mem_alloc_zero((run->objects.len + 1) * sizeof *m->number_of);
  for (uint32_t t = 0; t < run->threads.len; t++)
    m->length[t] = length ? length[t] : run->threads.data[t].steps.len;
  Builder b = {.model = m, .run = run, .event_of = m->event_of};
  b.of_object = mem_alloc_zero((run->objects.len + 1) * sizeof *b.of_object);
  number_objects(m);
  collect(&b);
  for (uint32_t o = 1; o < run->objects.len && b.arcs < MOST_ARCS; o++)
    if (b.of_object[o].len && !(blind && run->objects.data[o].kind == OBJECT_ATOMIC))
      add_machine(&b, o);
  for (uint32_t i = 0; i < run->steps.len; i++)
    if (taken(&b, i)) add_needed(&b, i);
  for (uint32_t o = 0; o < run->objects.len; o++) vec_free(&b.of_object[o]);
  mem_free(b.of_object);
  strmap_free(&b.events);
  return b.arcs < MOST_ARCS;
}

/* The state after an event, or UINT32_MAX; its own for events that are not the machine's. */
static uint32_t state_after(const ModelMachine *m, uint32_t state, uint32_t event) {
  bool knows = false;
  for (uint32_t i = 0; i < m->arcs.len; i++) {
    if (m->arcs.data[i].event != event) continue;
    if (m->arcs.data[i].from == state) return m->arcs.data[i].to;
    knows = true;
  }
  return knows ? UINT32_MAX : state;
}

static void swap_states(ModelMachine *m, uint32_t first) {
  for (uint32_t i = 0; i < m->arcs.len; i++) {
    uint32_t *ends[] = {&m->arcs.data[i].from, &m->arcs.data[i].to};
    for (int k = 0; k < 2; k++)
      if (*ends[k] == 0 || *ends[k] == first) *ends[k] = first - *ends[k];
  }
}

bool run_model_advance(RunModel *m, uint32_t prefix) {
  Map knowing = {0}; /* event → the machines that know it, as a list of `users` */
  struct User {
    uint32_t machine, next;
  };
  VEC(struct User) users = {0};
  uint32_t *states = mem_alloc_zero((m->machines.len + 1) * sizeof *states);
  bool ok = true;
  for (uint32_t k = 0; k < m->machines.len; k++)
    for (uint32_t i = 0; i < m->machines.data[k].arcs.len; i++) {
      uint64_t *first = map_at(&knowing, m->machines.data[k].arcs.data[i].event);
      if (*first && users.data[*first - 1].machine == k) continue;
      vec_push(&users, (struct User){k, (uint32_t)*first});
      *map_at(&knowing, m->machines.data[k].arcs.data[i].event) = users.len;
    }
  for (uint32_t i = 0; ok && i < prefix; i++) {
    uint32_t event = m->event_of[i];
    for (uint64_t u = map_find(&knowing, event, 0); ok && u; u = users.data[u - 1].next) {
      uint32_t k = users.data[u - 1].machine;
      states[k] = state_after(&m->machines.data[k], states[k], event);
      ok = states[k] != UINT32_MAX;
    }
  }
  for (uint32_t k = 0; ok && k < m->machines.len; k++)
    if (states[k]) swap_states(&m->machines.data[k], states[k]);
  mem_free(states);
  vec_free(&users);
  map_free(&knowing);
  return ok;
}

void run_model_free(RunModel *m) {
  for (uint32_t i = 0; i < m->machines.len; i++) vec_free(&m->machines.data[i].arcs);
  vec_free(&m->machines);
  vec_free(&m->events);
  mem_free(m->length);
  mem_free(m->event_of);
  mem_free(m->number_of);
  arena_free(m->arena);
  *m = (RunModel){0};
}
