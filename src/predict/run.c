/* From a trace to steps. See run.h.
 *
 * One walk over the events in their order keeps for each address the object that lives
 * there and its state, and so finds what a step followed: the signal that woke, the post
 * that let through, the store that was read. A second walk computes per position the
 * locks held and the weak happens-before clock, which has only edges that no order can
 * lose: creation, join, once, annotations, and barriers that all their users must enter.
 */
#include "predict/run.h"

#include <assert.h>
#include <string.h>

typedef struct {
  uint32_t object;
  uint32_t last; /* step: last store; last happens-before; end of once; … */
  bool seen;     /* an atomic whose first value is known */
  uint64_t value;
  uint32_t waiters;
  VEC(uint32_t) tokens; /* signals that wake; posts that are not used */
  uint32_t taken;       /* of `tokens` */
  uint32_t arrived, round;
  uint32_t writer; /* lock: the acquiring step */
  uint32_t lost;   /* the last signal that nobody waited for */
} Live;

/* Rounds of a thread that were left out (TRACE_FOLD): up to which of its events the one that
 * is kept goes, and how many steps that is so far. */
typedef struct {
  uint32_t end, steps;
} Fold;

typedef struct {
  Run *run;
  const Trace *trace;
  Map live; /* address → index + 1 into lives */
  VEC(Live) lives;
  VEC(uint32_t) creates; /* per thread: the step that made it */
  VEC(uint32_t) ends;
  VEC(Fold) folds; /* per thread: the last */
  Map acquired;    /* thread and lock → acquiring step + 1 */
} Builder;

/* ---- objects ---------------------------------------------------------------------- */

static uint32_t add_object(Run *run, uint64_t address, ObjectKind kind) {
  vec_push(&run->objects, (Object){.address = address, .kind = kind});
  return run->objects.len - 1;
}

static Live *live_at(Builder *b, uint64_t address, ObjectKind kind) {
  uint64_t *slot = map_at(&b->live, address);
  if (*slot) {
    Live *l = &b->lives.data[*slot - 1];
    if (b->run->objects.data[l->object].kind == kind) return l;
  }
  Live fresh = {
      .object = add_object(b->run, address, kind), .last = NO_STEP, .lost = NO_STEP};
  vec_push(&b->lives, fresh);
  *map_at(&b->live, address) = b->lives.len;
  return vec_last(&b->lives);
}

static void forget(Builder *b, uint64_t address) {
  uint64_t *slot = map_get(&b->live, address);
  if (slot) *slot = 0;
}

/* Synchronisation inside of freed memory ends with it. Blocks are small or hold few
 * objects, so looking at every address that might hold one is cheap enough up to a page.
 */
static void forget_range(Builder *b, uint64_t address, uint64_t size) {
  uint64_t before =
      address & 3; /* counted, since the end may lie beyond the last address */
  uint64_t places = ((size < 4096 ? size : 4096) + before + 3) / 4;
  for (uint64_t i = 0; i < places; i++) forget(b, address - before + 4 * i);
}

static ObjectKind kind_of(TraceOp op) {
  switch (op) {
  case TRACE_LOCK:
  case TRACE_FAILED_LOCK:
  case TRACE_READ_LOCK:
  case TRACE_FAILED_READ_LOCK:
  case TRACE_UNLOCK: return OBJECT_LOCK;
  case TRACE_WAIT:
  case TRACE_WOKEN:
  case TRACE_TIMED_OUT:
  case TRACE_SIGNAL:
  case TRACE_BROADCAST: return OBJECT_CONDITION;
  case TRACE_BARRIER_INIT:
  case TRACE_BARRIER_ENTER:
  case TRACE_BARRIER_EXIT: return OBJECT_BARRIER;
  case TRACE_SEM_INIT:
  case TRACE_SEM_WAIT:
  case TRACE_FAILED_SEM_WAIT:
  case TRACE_SEM_POST: return OBJECT_SEMAPHORE;
  case TRACE_ONCE_RUN:
  case TRACE_ONCE_END:
  case TRACE_ONCE_SEEN: return OBJECT_ONCE;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW: return OBJECT_ATOMIC;
  case TRACE_BEFORE:
  case TRACE_AFTER: return OBJECT_ORDER;
  default: return OBJECT_NONE;
  }
}

/* ---- what each step needs --------------------------------------------------------- */

static void take_lock(Builder *b, Step *s, uint32_t index, uint64_t address,
                      bool shared) {
  s->lock = live_at(b, address, OBJECT_LOCK)->object;
  s->acquires = true;
  s->shared = shared;
  map_put(&b->acquired, (uint64_t)s->thread << 32 | s->lock, index + 1);
}

static void give_lock(Builder *b, Step *s, uint32_t index, uint64_t address) {
  s->lock = live_at(b, address, OBJECT_LOCK)->object;
  s->releases = true;
  uint64_t *slot = map_get(&b->acquired, (uint64_t)s->thread << 32 | s->lock);
  if (!slot || !*slot) return; /* another thread's: it releases nothing that is tracked */
  s->partner = (uint32_t)(*slot - 1);
  s->shared = b->run->steps.data[s->partner].shared;
  b->run->steps.data[s->partner].partner = index;
  *slot = 0;
}

/* A signal is numbered before it takes effect, so a wait that began a moment later may
 * still be woken by it. */
static uint32_t late_signal(Builder *b, const Live *l, const Step *woken) {
  if (l->lost == NO_STEP) return NO_STEP;
  const Step *signal = &b->run->steps.data[l->lost];
  return signal->thread != woken->thread ? l->lost : NO_STEP;
}

static void wake(Builder *b, Step *s, Live *l) {
  if (l->waiters) l->waiters--;
  if (s->op == TRACE_TIMED_OUT) return;
  if (l->taken < l->tokens.len) {
    s->matched = l->tokens.data[l->taken++];
    return;
  }
  s->matched = late_signal(b, l, s);
  l->lost = NO_STEP;
  s->spurious = true; /* no order of the run explains it by itself */
}

static void signal_all(Live *l, uint32_t index, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) vec_push(&l->tokens, index);
  if (!count) l->lost = index;
}

static void enter_barrier(Run *run, Step *s, Live *l, uint32_t index) {
  Object *o = &run->objects.data[l->object];
  if (l->arrived == 0) {
    Round *fresh = vec_extend(&run->rounds, 1);
    (void)fresh;
    l->round = run->rounds.len - 1;
  }
  s->round = l->round;
  vec_push(&run->rounds.data[l->round].enters, index);
  if (++l->arrived == o->initial) l->arrived = 0;
}

static void leave_barrier(Builder *b, Step *s) {
  const RunThread *t = &b->run->threads.data[s->thread];
  if (t->steps.len == 0) return;
  const Step *enter = &b->run->steps.data[*vec_last(&t->steps)];
  if (enter->op == TRACE_BARRIER_ENTER) s->round = enter->round;
}

static void do_atomic(Run *run, Step *s, Live *l, const TraceEvent *e, uint32_t index) {
  s->before = s->after = e->arguments[1];
  if (s->op != TRACE_ATOMIC_LOAD) s->after = e->arguments[2];
  bool reads = s->op != TRACE_ATOMIC_STORE;
  s->matched = reads ? l->last : NO_STEP;
  if (!l->seen) {
    run->objects.data[l->object].value = s->before;
    run->objects.data[l->object].value_known = true;
  }
  s->loose = reads && l->seen && l->value != s->before;
  l->seen = true;
  l->value = s->after;
  if (s->op != TRACE_ATOMIC_LOAD) l->last = index;
}

uint32_t run_step_at(const Run *run, uint64_t event) {
  uint32_t low = 0, high = run->steps.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (run->steps.data[middle].event < event)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The step of an event that came before, or NO_STEP. */
static uint32_t step_of(const Run *run, uint64_t event) {
  uint32_t at = run_step_at(run, event);
  return at < run->steps.len && run->steps.data[at].event == event ? at : NO_STEP;
}

static void act(Builder *b, Step *s, const TraceEvent *e, uint32_t index) {
  Run *run = b->run;
  ObjectKind kind = kind_of(s->op);
  Live *l = kind ? live_at(b, e->object, kind) : NULL;
  if (l) s->object = l->object;
  switch (s->op) {
  case TRACE_START: s->needs = b->creates.data[s->thread]; break;
  case TRACE_CREATE:
    if (e->object < b->creates.len) b->creates.data[e->object] = index;
    break;
  case TRACE_END: b->ends.data[s->thread] = index; break;
  case TRACE_JOIN:
    if (e->object < b->ends.len) s->needs = b->ends.data[e->object];
    break;
  case TRACE_LOCK: take_lock(b, s, index, e->object, false); break;
  case TRACE_READ_LOCK: take_lock(b, s, index, e->object, true); break;
  case TRACE_UNLOCK: give_lock(b, s, index, e->object); break;
  case TRACE_WAIT:
    l->waiters++;
    give_lock(b, s, index, e->arguments[0]);
    break;
  case TRACE_WOKEN:
  case TRACE_TIMED_OUT:
    wake(b, s, l);
    take_lock(b, s, index, e->arguments[0], false);
    break;
  case TRACE_SIGNAL:
    signal_all(l, index, l->waiters > l->tokens.len - l->taken ? 1 : 0);
    break;
  case TRACE_BROADCAST:
    signal_all(l, index,
               l->waiters - (l->tokens.len - l->taken < l->waiters
                                 ? l->tokens.len - l->taken
                                 : l->waiters));
    break;
  case TRACE_BARRIER_ENTER: enter_barrier(run, s, l, index); break;
  case TRACE_BARRIER_EXIT: leave_barrier(b, s); break;
  case TRACE_SEM_POST: vec_push(&l->tokens, index); break;
  case TRACE_SEM_WAIT: {
    uint32_t initial = run->objects.data[l->object].initial;
    if (l->taken >= initial && l->taken - initial < l->tokens.len)
      s->matched = l->tokens.data[l->taken - initial];
    else if (l->taken >= initial) /* more was there at the beginning than was seen */
      run->objects.data[l->object].initial++;
    l->taken++;
    break;
  }
  case TRACE_WAIT_EXIT:
    if (e->object) s->needs = step_of(run, e->object - 1);
    if (s->needs != NO_STEP) run->steps.data[s->needs].wanted = true;
    break;
  case TRACE_ONCE_END: l->last = index; break;
  case TRACE_ONCE_SEEN: s->needs = l->last; break;
  case TRACE_BEFORE: l->last = index; break;
  case TRACE_AFTER: s->needs = l->last; break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW: do_atomic(run, s, l, e, index); break;
  default: break;
  }
}

static void note_other(Builder *b, const TraceEvent *e) {
  switch (e->op) {
  case TRACE_FORGET: forget(b, e->object); break;
  case TRACE_FREE: forget_range(b, e->object, e->arguments[0]); break;
  case TRACE_SEM_INIT:
  case TRACE_BARRIER_INIT: {
    forget(b, e->object);
    Live *l = live_at(b, e->object, kind_of(e->op));
    b->run->objects.data[l->object].initial =
        e->arguments[0] < UINT32_MAX ? (uint32_t)e->arguments[0] : UINT32_MAX;
    break;
  }
  default: break;
  }
}

/* Steps of the round that is kept; the last of them is marked. */
static uint8_t rounds_at(Builder *b, const TraceEvent *e) {
  Fold *f = &b->folds.data[e->thread];
  if (e->place >= f->end) return 0;
  f->steps++;
  if (e->place + 1 < f->end || f->steps > UINT8_MAX) return 0;
  return (uint8_t)f->steps;
}

static void build_steps(Builder *b, Progress *progress) {
  Run *run = b->run;
  progress_phase(progress, "understanding the run", b->trace->events.len);
  for (uint32_t i = 0; i < b->trace->events.len; i++) {
    const TraceEvent *e = &b->trace->events.data[i];
    RunThread *t = &run->threads.data[e->thread];
    vec_push(&t->positions, t->steps.len);
    if ((i & 0xffff) == 0) progress_step(progress, i ? 0x10000 : 0, NULL);
    if (!trace_op_is_turn(e->op)) {
      if (e->op == TRACE_FOLD)
        b->folds.data[e->thread] =
            (Fold){.end = e->place + 1 + (uint32_t)e->arguments[0]};
      note_other(b, e);
      continue;
    }
    uint32_t index = run->steps.len;
    Step s = {.event = i,
              .op = e->op,
              .thread = e->thread,
              .place = t->steps.len,
              .rounds = rounds_at(b, e),
              .needs = NO_STEP,
              .matched = NO_STEP,
              .partner = NO_STEP,
              .round = NO_STEP};
    act(b, &s, e, index);
    vec_push(&run->steps, s);
    vec_push(&t->steps, index);
  }
}

/* ---- positions -------------------------------------------------------------------- */

/* The set without or with one lock. */
static uint32_t changed_set(Run *run, uint32_t from, uint32_t lock, uint32_t step,
                            bool shared, bool add) {
  LockSet old = run->lock_sets.data[from];
  uint32_t *steps = arena_alloc(run->arena, (old.count + 1) * sizeof *steps);
  uint32_t *locks = arena_alloc(run->arena, (old.count + 1) * sizeof *locks);
  bool *kinds = arena_alloc(run->arena, (old.count + 1) * sizeof *kinds);
  uint32_t n = 0;
  for (uint32_t i = 0; i < old.count; i++) {
    if (old.locks[i] == lock) continue;
    steps[n] = old.steps[i];
    kinds[n] = old.shared[i];
    locks[n++] = old.locks[i];
  }
  if (add) {
    uint32_t at = n++;
    for (; at > 0 && locks[at - 1] > lock; at--) {
      locks[at] = locks[at - 1];
      steps[at] = steps[at - 1];
      kinds[at] = kinds[at - 1];
    }
    locks[at] = lock;
    steps[at] = step;
    kinds[at] = shared;
  }
  assert(n <= old.count + 1);
  if (n == 0) return 0;
  Str key = {0};
  str_add_bytes(&key, locks, n * sizeof *locks);
  str_add_bytes(&key, kinds, n * sizeof *kinds);
  uint64_t *kind = strmap_at(&run->set_kinds, key.data, key.len);
  if (!*kind) *kind = run->set_kinds.len;
  vec_push(&run->lock_sets, (LockSet){steps, locks, kinds, n, (uint32_t)*kind});
  str_free(&key);
  return run->lock_sets.len - 1;
}

static void fill_held(Run *run, RunThread *t) {
  uint32_t set = 0;
  for (uint32_t p = 0; p < t->steps.len; p++) {
    const Step *s = &run->steps.data[t->steps.data[p]];
    vec_push(&t->held, set);
    if (s->acquires)
      set = changed_set(run, set, s->lock, t->steps.data[p], s->shared, true);
    else if (s->releases)
      set = changed_set(run, set, s->lock, 0, false, false);
  }
  vec_push(&t->held, set);
}

static uint32_t *join_clock(Run *run, const uint32_t *mine, const uint32_t *other) {
  uint32_t count = run->threads.len;
  uint32_t *clock = arena_alloc(run->arena, count * sizeof *clock);
  for (uint32_t i = 0; i < count; i++) clock[i] = mine[i] > other[i] ? mine[i] : other[i];
  return clock;
}

/* The clock of a thread right after a step. */
static const uint32_t *clock_after(Run *run, uint32_t step) {
  const Step *s = &run->steps.data[step];
  const RunThread *t = &run->threads.data[s->thread];
  assert(s->place < t->epochs.len);
  uint32_t *clock =
      arena_dup(run->arena, run->epochs.data[t->epochs.data[s->place]].clock,
                run->threads.len * sizeof *clock);
  clock[s->thread] = s->place + 1;
  return clock;
}

static void new_epoch(Run *run, const uint32_t *clock) {
  vec_push(&run->epochs, (Epoch){clock});
}

static const uint32_t *clock_of_round(Run *run, uint32_t round, const uint32_t *mine) {
  const Round *r = &run->rounds.data[round];
  for (uint32_t i = 0; i < r->enters.len; i++)
    mine = join_clock(run, mine, clock_after(run, r->enters.data[i]));
  return mine;
}

/* In the order of the run, so that what a step needs has its clock already. */
static void fill_clocks(Run *run) {
  uint32_t *nothing =
      arena_alloc_zero(run->arena, (run->threads.len + 1) * sizeof *nothing);
  vec_push(&run->epochs, (Epoch){nothing});
  for (uint32_t i = 0; i < run->threads.len; i++)
    vec_push(&run->threads.data[i].epochs, 0u);
  Map rounds = {0}; /* round → epoch clock computed once for all who leave */
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *s = &run->steps.data[i];
    RunThread *t = &run->threads.data[s->thread];
    uint32_t epoch = *vec_last(&t->epochs);
    if (s->needs != NO_STEP) {
      const uint32_t *mine = run->epochs.data[epoch].clock;
      new_epoch(run, join_clock(run, mine, clock_after(run, s->needs)));
      epoch = run->epochs.len - 1;
    } else if (s->op == TRACE_BARRIER_EXIT && s->round != NO_STEP &&
               run->objects.data[s->object].fixed) {
      uint64_t *known = map_at(&rounds, s->round);
      if (!*known) {
        new_epoch(run, clock_of_round(run, s->round, run->epochs.data[epoch].clock));
        *map_at(&rounds, s->round) = run->epochs.len - 1;
      }
      epoch = (uint32_t)map_find(&rounds, s->round, 0);
    }
    vec_push(&t->epochs, epoch);
  }
  map_free(&rounds);
}

/* A barrier whose users are exactly as many as it waits for has the same rounds in every
 * order, if all of them come before the first one leaves. */
static void fix_barriers(Run *run) {
  Map users = {0};
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *s = &run->steps.data[i];
    if (s->op != TRACE_BARRIER_ENTER) continue;
    uint64_t *seen = map_at(&users, (uint64_t)s->object << 32 | s->thread);
    if (!*seen) run->objects.data[s->object].users++;
    *seen = 1;
  }
  for (uint32_t i = 0; i < run->objects.len; i++)
    run->objects.data[i].fixed =
        run->objects.data[i].kind == OBJECT_BARRIER &&
        run->objects.data[i].users == run->objects.data[i].initial;
  /* who leaves before all have come was let through by somebody who is not in the trace */
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *s = &run->steps.data[i];
    if (s->op != TRACE_BARRIER_EXIT || s->round == NO_STEP) continue;
    const Round *r = &run->rounds.data[s->round];
    if (r->enters.len < run->objects.data[s->object].initial || *vec_last(&r->enters) > i)
      run->objects.data[s->object].fixed = false;
  }
  map_free(&users);
}

/* ---- the whole -------------------------------------------------------------------- */

void run_init(Run *run, const Trace *trace, Progress *progress) {
  *run = (Run){.trace = trace, .arena = arena_new()};
  Builder b = {.run = run, .trace = trace};
  add_object(run, 0, OBJECT_NONE);
  vec_push(&run->lock_sets, (LockSet){0});
  if (trace->threads.len) (void)vec_extend(&run->threads, trace->threads.len);
  for (uint32_t i = 0; i < trace->threads.len; i++) {
    vec_push(&b.creates, (uint32_t)NO_STEP);
    vec_push(&b.ends, (uint32_t)NO_STEP);
    vec_push(&b.folds, (Fold){0});
  }
  build_steps(&b, progress);
  fix_barriers(run);
  for (uint32_t i = 0; i < run->threads.len; i++) fill_held(run, &run->threads.data[i]);
  fill_clocks(run);
  for (uint32_t i = 0; i < b.lives.len; i++) vec_free(&b.lives.data[i].tokens);
  vec_free(&b.lives);
  vec_free(&b.creates);
  vec_free(&b.ends);
  vec_free(&b.folds);
  map_free(&b.live);
  map_free(&b.acquired);
}

void run_free(Run *run) {
  for (uint32_t i = 0; i < run->threads.len; i++) {
    RunThread *t = &run->threads.data[i];
    vec_free(&t->steps);
    vec_free(&t->positions);
    vec_free(&t->held);
    vec_free(&t->epochs);
  }
  for (uint32_t i = 0; i < run->rounds.len; i++) vec_free(&run->rounds.data[i].enters);
  vec_free(&run->threads);
  vec_free(&run->steps);
  vec_free(&run->objects);
  vec_free(&run->rounds);
  vec_free(&run->lock_sets);
  vec_free(&run->epochs);
  strmap_free(&run->set_kinds);
  arena_free(run->arena);
  *run = (Run){0};
}

bool run_ordered(const Run *run, uint32_t t, uint32_t p, uint32_t u, uint32_t q) {
  const Epoch *e = &run->epochs.data[run->threads.data[u].epochs.data[q]];
  return e->clock[t] > p;
}

uint32_t run_event_before(const Run *run, uint32_t t, uint32_t p) {
  return p ? run->steps.data[run->threads.data[t].steps.data[p - 1]].event : 0;
}

uint32_t run_distance(const Run *run, uint32_t t, uint32_t p, uint32_t u, uint32_t q) {
  uint32_t a = run_event_before(run, t, p), b = run_event_before(run, u, q);
  return a < b ? b - a : a - b;
}

bool run_guarded(const Run *run, uint32_t set_a, uint32_t set_b) {
  const LockSet *a = &run->lock_sets.data[set_a], *b = &run->lock_sets.data[set_b];
  for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
    if (a->locks[i] == b->locks[k]) {
      if (!a->shared[i] || !b->shared[k]) return true;
      i++, k++;
    } else if (a->locks[i] < b->locks[k]) {
      i++;
    } else {
      k++;
    }
  }
  return false;
}
