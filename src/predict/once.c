/* See once.h.
 *
 * The steps of the other run are found first: an order that brings both threads before
 * their calls, then the routine, then all recorded steps that are still possible, in their
 * order. Then the events are copied in that order; those of the routine change hands.
 * Events that are no steps, and accesses, stay behind the event that they followed. */
#include "predict/once.h"

#include "predict/moment.h"
#include "predict/walk.h"
#include "predict/words.h"

enum { MOST_PASSES = 16 };

void once_find(const Run *run, OnceSwaps *ret) {
  Map begins = {0}, seen = {0}; /* object → step + 1; object and thread → 1 */
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *s = &run->steps.data[i];
    if (s->op == TRACE_ONCE_RUN) *map_at(&begins, s->object) = i + 1;
    if (s->op != TRACE_ONCE_SEEN || s->needs == NO_STEP) continue;
    uint64_t begin = map_find(&begins, s->object, 0);
    uint64_t *known = map_at(&seen, (uint64_t)s->object << 32 | s->thread);
    if (!begin || *known) continue;
    const Step *first = &run->steps.data[begin - 1], *last = &run->steps.data[s->needs];
    /* A damaged trace may have anything. */
    if (first->thread == s->thread || first->thread != last->thread ||
        first->place >= last->place)
      continue;
    *known = 1;
    vec_push(ret, (OnceSwap){(uint32_t)begin - 1, s->needs, i});
  }
  map_free(&begins);
  map_free(&seen);
}

/* ---- the steps -------------------------------------------------------------------- */

/* Both before their calls. */
static bool lead_there(const Run *run, const OnceSwap *swap, const SolveLimits *limits,
                       StepOrder *ret) {
  const Step *begin = &run->steps.data[swap->begin], *seen = &run->steps.data[swap->seen];
  Target targets[] = {{begin->thread, begin->place}, {seen->thread, seen->place}};
  Solver *solver = solve_begin(run, targets, 2, limits);
  bool found = solve_next(solver, ret) == SOLVE_FOUND;
  solve_end(solver);
  return found;
}

/* What comes after the prefix that is in `order`. */
static bool go_on(const Run *run, const OnceSwap *swap, StepOrder *order) {
  Moment state;
  const Step *begin = &run->steps.data[swap->begin], *end = &run->steps.data[swap->end];
  const RunThread *owner = &run->threads.data[begin->thread];
  bool ok = true, moved = true;
  moment_init(&state, run);
  for (uint32_t i = 0; i < order->len; i++) moment_take(&state, order->data[i]);
  for (uint32_t p = begin->place; ok && p <= end->place; p++) {
    uint32_t step = owner->steps.data[p];
    ok = moment_allows(&state, step);
    if (ok) moment_take(&state, step);
    vec_push(order, step);
  }
  if (ok) moment_take(&state, swap->seen);
  vec_push(order, swap->seen);
  for (unsigned pass = 0; ok && moved && pass < MOST_PASSES; pass++) {
    moved = false;
    for (uint32_t i = 0; i < run->steps.len; i++) {
      const Step *s = &run->steps.data[i];
      if (s->place != state.next[s->thread] || !moment_allows(&state, i)) continue;
      moment_take(&state, i);
      vec_push(order, i);
      moved = true;
    }
  }
  moment_free(&state);
  return ok;
}

/* ---- memory that is used again ---------------------------------------------------- */

/* The same addresses are something else after they were freed. In another order the memory would
 * be given out differently: of what was used again nothing is known there. */
typedef struct {
  Words memory;
  Map freed, again; /* words */
} Reuse;

static void use_memory(void *user, Walk *walk, const RaceAccess *a) {
  (void)walk;
  Reuse *r = user;
  uint64_t last = (a->address + a->size - 1) / 8;
  for (uint64_t word = a->address / 8; word <= last; word++) {
    uint32_t *slot = words_slot(&r->memory, word, !a->frees);
    if (!slot) {
      word |= WORDS_PAGE - 1;
      continue;
    }
    if (!*slot && a->frees) continue;
    *slot = 1;
    if (r->freed.len && map_get(&r->freed, word)) map_put(&r->again, word, 1);
  }
}

static void free_memory(void *user, uint64_t address, uint64_t size) {
  Reuse *r = user;
  for (uint64_t word = address / 8; word < (address + size + 7) / 8; word++) {
    uint32_t *slot = words_slot(&r->memory, word, false);
    if (!slot)
      word |= WORDS_PAGE - 1;
    else if (*slot)
      map_put(&r->freed, word, 1);
  }
  words_close(&r->memory, address, size);
}

static void find_reuse(const Run *run, Reuse *ret) {
  WalkVisitor visitor = {ret, use_memory, free_memory};
  (void)walk_run(run, &visitor, 0, NULL);
  words_clear(&ret->memory);
  map_free(&ret->freed);
}

static bool was_used_again(const Map *again, const TraceAccess *a) {
  uint64_t address = a->address;
  for (uint32_t i = 0; again->len && (!i || i < a->count); i++) {
    for (uint64_t word = address / 8; word <= (address + a->size - 1) / 8; word++)
      if (map_get(again, word)) return true;
    address += (uint64_t)(int64_t)a->step;
  }
  return false;
}

/* ---- the trace -------------------------------------------------------------------- */

typedef struct {
  const Trace *from;
  Trace *to;
  uint32_t *place;  /* per thread: its events that were copied */
  uint32_t *access; /* per thread: its accesses that were copied */
  const Map *again; /* memory whose accesses are left out */
} Copier;

/* The accesses of `from` before its event `place` are now those of `to`. */
static void copy_accesses(Copier *c, uint32_t from, uint32_t to, uint32_t place) {
  const TraceThread *old = &c->from->threads.data[from];
  TraceThread *t = &c->to->threads.data[to];
  for (uint32_t *at = &c->access[from];
       *at < old->accesses.len && old->accesses.data[*at].after <= place; ++*at) {
    TraceAccess a = old->accesses.data[*at];
    if (was_used_again(c->again, &a)) continue;
    a.after = t->events.len;
    vec_push(&t->accesses, a);
    c->to->access_count++;
  }
}

static void add_event(Copier *c, TraceEvent e, uint32_t thread) {
  TraceThread *t = &c->to->threads.data[thread];
  e.thread = thread;
  e.place = t->events.len;
  e.sequence = c->to->events.len;
  vec_push(&t->events, c->to->events.len);
  vec_push(&c->to->events, e);
}

/* The events of `from` up to and with `last`, which are now those of `to`. */
static void copy_events(Copier *c, uint32_t from, uint32_t to, uint32_t last) {
  const TraceThread *old = &c->from->threads.data[from];
  for (uint32_t *at = &c->place[from]; *at <= last; ++*at) {
    copy_accesses(c, from, to, *at);
    add_event(c, c->from->events.data[old->events.data[*at]], to);
  }
}

/* What follows the last step of a thread and is no step. */
static void copy_rest(Copier *c, uint32_t thread) {
  const TraceThread *old = &c->from->threads.data[thread];
  uint32_t at = c->place[thread];
  while (at < old->events.len &&
         !trace_op_is_turn(c->from->events.data[old->events.data[at]].op))
    at++;
  if (at > c->place[thread]) copy_events(c, thread, thread, at - 1);
  copy_accesses(c, thread, thread, at);
}

static void copy_order(Copier *c, const Run *run, const OnceSwap *swap,
                       const StepOrder *order) {
  const Step *begin = &run->steps.data[swap->begin], *end = &run->steps.data[swap->end];
  const TraceEvent *ran = &c->from->events.data[begin->event];
  TraceEvent seen = c->from->events.data[run->steps.data[swap->seen].event];
  uint64_t called = seen.pc;
  uint32_t runner = run->steps.data[swap->seen].thread, owner = begin->thread;
  for (uint32_t i = 0; i < order->len; i++) {
    const Step *s = &run->steps.data[order->data[i]];
    uint32_t place = c->from->events.data[s->event].place;
    if (order->data[i] == swap->begin) {
      /* What the two did before their calls remains theirs. */
      if (place) copy_events(c, owner, owner, place - 1);
      copy_accesses(c, owner, owner, place);
      if (seen.place) copy_events(c, runner, runner, seen.place - 1);
      copy_accesses(c, runner, runner, seen.place);
    }
    bool inside =
        s->thread == owner && s->place >= begin->place && s->place <= end->place;
    if (order->data[i] != swap->seen) {
      copy_events(c, s->thread, inside ? runner : s->thread, place);
      if (order->data[i] == swap->begin || order->data[i] == swap->end)
        vec_last(&c->to->events)->pc = called; /* by the other thread */
      continue;
    }
    c->place[runner] = seen.place + 1;
    seen.pc = ran->pc;
    add_event(c, seen, owner);
  }
}

bool once_swap(const Run *run, const OnceSwap *swap, const SolveLimits *limits,
               Trace *ret) {
  const Trace *from = run->trace;
  StepOrder order = {0};
  bool ok = lead_there(run, swap, limits, &order) && go_on(run, swap, &order);
  if (ok) {
    *ret = (Trace){.arena = arena_new(), .state = from->state, .cut = from->cut};
    for (uint32_t i = 0; i < from->modules.len; i++)
      vec_push(&ret->modules, from->modules.data[i]);
    for (uint32_t i = 0; i < from->threads.len; i++) {
      TraceThread t = from->threads.data[i];
      memset(&t.events, 0, sizeof t.events);
      memset(&t.accesses, 0, sizeof t.accesses);
      vec_push(&ret->threads, t);
    }
    Reuse reuse = {0};
    find_reuse(run, &reuse);
    Copier c = {.from = from, .to = ret, .again = &reuse.again};
    c.place = mem_alloc_zero((from->threads.len + 1) * sizeof *c.place);
    c.access = mem_alloc_zero((from->threads.len + 1) * sizeof *c.access);
    copy_order(&c, run, swap, &order);
    for (uint32_t i = 0; i < from->threads.len; i++) copy_rest(&c, i);
    mem_free(c.place);
    mem_free(c.access);
    map_free(&reuse.again);
  }
  vec_free(&order);
  return ok;
}
