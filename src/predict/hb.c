/* See hb.h.
 *
 * One walk over the events with vector clocks. Entry t of a clock is up to which position
 * thread t happened before: whoever knows the position behind an event knows of it and of all
 * accesses before it. A thread's clock is copied into the table of epochs only when it has learnt
 * something; in between, its positions share one.
 *
 * An atomic load that finds the same value again is not recorded again (rt_atomic.c), so
 * the last load of a thread may stand for later ones: when somebody stores the same value
 * once more, the loader is taken to have seen that store, too. */
#include "predict/hb.h"

#include <assert.h>
#include <string.h>

/* What whoever acquires an object learns. */
typedef struct {
  uint32_t *clock;  /* or NULL: nothing */
  uint32_t *shared; /* of a read-write lock: from who held it for reading */
  uint32_t writer;  /* of an atomic: the thread whose store began the release sequence */
  uint64_t value;   /* of an atomic: its last; of a semaphore: its count */
  bool known;       /* `value` is */
  uint32_t size, arrived; /* of a barrier; `clock` is that of those who have arrived */
} Channel;

typedef struct {
  uint32_t *clock;
  uint32_t *fenced; /* as it was at the last release fence, or NULL */
  uint32_t *read; /* found by loads that do not acquire, for an acquire fence; or NULL */
  uint32_t *created; /* what its creator knew, or NULL */
  uint32_t *last;    /* at its end, or NULL */
  uint64_t loaded;   /* the object of its last event when that was an acquiring load */
  uint64_t value;
  bool begun, learnt; /* learnt: the clock is not in the table yet */
} Knower;

typedef struct {
  Run *run;
  const Trace *trace;
  Arena *arena;
  uint32_t count; /* of threads */
  bool presumed;
  uint64_t memory; /* for clocks, that is left */
  bool cut;
  Knower *threads;
  Map objects; /* address → index + 1 into channels */
  VEC(Channel) channels;
  Map read_locks; /* hash of thread and address → 1 */
  Map rounds;     /* hash of thread and barrier → clock of the round it has entered */
  uint32_t *any;  /* everything that was given */
} Walk;

/* ---- clocks ----------------------------------------------------------------------- */

static uint32_t *new_clock(Walk *w) {
  return arena_alloc_zero(w->arena, (w->count + 1) * sizeof(uint32_t));
}

static bool join(const Walk *w, uint32_t *to, const uint32_t *from) {
  bool news = false;
  for (uint32_t i = 0; from && i < w->count; i++)
    if (from[i] > to[i]) {
      to[i] = from[i];
      news = true;
    }
  return news;
}

static void join_into(Walk *w, uint32_t **to, const uint32_t *from) {
  if (!from) return;
  if (!*to) *to = new_clock(w);
  join(w, *to, from);
}

static void learn(Walk *w, uint32_t thread, const uint32_t *from) {
  assert(thread < w->count);
  Knower *k = &w->threads[thread];
  k->learnt |= join(w, k->clock, from);
}

static void set(Walk *w, uint32_t **to, const uint32_t *from) {
  if (!*to) *to = new_clock(w);
  memcpy(*to, from, w->count * sizeof **to);
}

/* ---- objects ---------------------------------------------------------------------- */

static Channel *channel(Walk *w, uint64_t object) {
  uint64_t *slot = map_at(&w->objects, object);
  if (!*slot) {
    vec_push(&w->channels, (Channel){.writer = CONTROL_NO_THREAD});
    *slot = w->channels.len;
  }
  return &w->channels.data[*slot - 1];
}

static void forget(Walk *w, uint64_t object) {
  uint64_t *slot = map_get(&w->objects, object);
  if (slot) *slot = 0;
}

/* As forget_range of run.c: what lies in freed memory ends with it. */
static void forget_range(Walk *w, uint64_t address, uint64_t size) {
  uint64_t before = address & 3, most = size < 4096 ? size : 4096;
  for (uint64_t i = 0; i < (most + before + 3) / 4; i++)
    forget(w, address - before + 4 * i);
}

static uint64_t key_of(uint32_t thread, uint64_t object) {
  uint64_t key[2] = {thread, object};
  return map_hash(key, sizeof key);
}

static void acquire(Walk *w, uint32_t thread, uint64_t object) {
  learn(w, thread, channel(w, object)->clock);
}

static void release(Walk *w, uint32_t thread, uint64_t object) {
  Channel *c = channel(w, object);
  join_into(w, &c->clock, w->threads[thread].clock);
}

/* ---- what is not understood ------------------------------------------------------- */

/* Something may have come from anybody. */
static void presume_all(Walk *w, uint32_t thread) {
  for (uint32_t i = 0; w->presumed && i < w->count; i++)
    if (i != thread) learn(w, thread, w->threads[i].clock);
}

static bool on_a_stack(const Walk *w, uint64_t address) {
  for (uint32_t i = 0; i < w->count; i++) {
    const TraceThread *t = &w->trace->threads.data[i];
    if (address >= t->stack && address - t->stack < t->stack_size) return true;
  }
  return address >> 40 == 0x7f && address >> 32 == 0x7fff; /* that of main */
}

static void give(Walk *w, const TraceEvent *e) {
  if (!w->presumed) return;
  const uint32_t *clock = w->threads[e->thread].clock;
  release(w, e->thread, ~e->object);
  join_into(w, &w->any, clock);
  if ((e->object & ((1 << TRACE_MEANS_BITS) - 1)) != TRACE_BY_SIGNAL) return;
  for (uint32_t i = 0; i < w->count; i++)
    if (i != e->thread) learn(w, i, clock);
}

static void take(Walk *w, const TraceEvent *e) {
  if (!w->presumed) return;
  if (e->object == TRACE_BY_ANY)
    learn(w, e->thread, w->any);
  else
    acquire(w, e->thread, ~e->object);
}

/* ---- atomic operations ------------------------------------------------------------ */

static int order_of(const TraceEvent *e) {
  return e->order ? e->order - 1 : __ATOMIC_SEQ_CST;
}

static bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

static void load(Walk *w, const TraceEvent *e) {
  Knower *k = &w->threads[e->thread];
  Channel *c = channel(w, e->object);
  uint64_t before = e->arguments[1];
  if (acquires(order_of(e)))
    learn(w, e->thread, c->clock);
  else
    join_into(w, &k->read, c->clock);
  if (c->known && c->value != before && !on_a_stack(w, e->object))
    presume_all(w, e->thread);
  c->value = before;
  c->known = true;
  if (e->op != TRACE_ATOMIC_LOAD || !acquires(order_of(e))) return;
  k->loaded = e->object;
  k->value = before;
}

/* A read-modify-write goes on with what was released there, and so does a store of the
 * same thread; a store of another one ends it. */
static void store(Walk *w, const TraceEvent *e) {
  Knower *k = &w->threads[e->thread];
  Channel *c = channel(w, e->object);
  const uint32_t *told = releases(order_of(e)) ? k->clock : k->fenced;
  bool goes_on = e->op == TRACE_ATOMIC_RMW || c->writer == e->thread;
  if (!goes_on && c->clock) memset(c->clock, 0, w->count * sizeof *c->clock);
  join_into(w, &c->clock, told);
  if (e->op == TRACE_ATOMIC_STORE) c->writer = e->thread;
  c->value = e->arguments[2];
  c->known = true;
  for (uint32_t i = 0; i < w->count; i++)
    if (i != e->thread && w->threads[i].loaded == e->object &&
        w->threads[i].value == c->value)
      learn(w, i, c->clock);
}

static void fence(Walk *w, const TraceEvent *e) {
  Knower *k = &w->threads[e->thread];
  if (acquires(order_of(e))) learn(w, e->thread, k->read);
  if (releases(order_of(e))) set(w, &k->fenced, k->clock);
}

/* ---- locks, barriers, semaphores -------------------------------------------------- */

static void lock(Walk *w, uint32_t thread, uint64_t object) {
  acquire(w, thread, object);
  learn(w, thread, channel(w, object)->shared);
}

/* Readers do not order each other. */
static void unlock(Walk *w, uint32_t thread, uint64_t object) {
  uint64_t *reads = map_get(&w->read_locks, key_of(thread, object));
  Channel *c = channel(w, object);
  bool shared = reads && *reads;
  join_into(w, shared ? &c->shared : &c->clock, w->threads[thread].clock);
  if (shared) *reads = 0;
}

static void enter_barrier(Walk *w, uint32_t thread, uint64_t object) {
  Channel *c = channel(w, object);
  if (c->arrived == 0 && c->size) c->clock = NULL; /* those who leave keep the old one */
  join_into(w, &c->clock, w->threads[thread].clock);
  map_put(&w->rounds, key_of(thread, object), map_key(c->clock));
  if (++c->arrived == c->size) c->arrived = 0;
}

static void leave_barrier(Walk *w, uint32_t thread, uint64_t object) {
  learn(w, thread,
        (const uint32_t *)(uintptr_t)map_find(&w->rounds, key_of(thread, object), 0));
}

/* A token that nobody left there came from somebody unknown. */
static void take_token(Walk *w, uint32_t thread, uint64_t object) {
  Channel *c = channel(w, object);
  learn(w, thread, c->clock);
  if (c->known && !c->value) presume_all(w, thread);
  if (c->value) c->value--;
}

/* ---- events ----------------------------------------------------------------------- */

static void begin(Walk *w, uint32_t thread) {
  Knower *k = &w->threads[thread];
  k->begun = true;
  if (k->created)
    learn(w, thread, k->created);
  else if (thread)
    presume_all(w, thread);
}

static void new_object(Walk *w, const TraceEvent *e) {
  forget(w, e->object);
  Channel *c = channel(w, e->object);
  if (e->op == TRACE_BARRIER_INIT) c->size = (uint32_t)e->arguments[0];
  if (e->op == TRACE_SEM_INIT) {
    c->value = e->arguments[0];
    c->known = true;
  }
}

/* What the thread learns by the event. */
static void before_event(Walk *w, const TraceEvent *e) {
  uint32_t t = e->thread;
  switch (e->op) {
  case TRACE_JOIN:
    if (e->object < w->count) {
      const Knower *child = &w->threads[e->object];
      learn(w, t, child->last ? child->last : child->clock);
    }
    break;
  case TRACE_LOCK: lock(w, t, e->object); break;
  case TRACE_READ_LOCK:
    acquire(w, t, e->object);
    *map_at(&w->read_locks, key_of(t, e->object)) = 1;
    break;
  case TRACE_WOKEN:
    acquire(w, t, e->object);
    lock(w, t, e->arguments[0]);
    break;
  case TRACE_TIMED_OUT: lock(w, t, e->arguments[0]); break;
  case TRACE_BARRIER_EXIT: leave_barrier(w, t, e->object); break;
  case TRACE_SEM_WAIT: take_token(w, t, e->object); break;
  case TRACE_ONCE_SEEN:
  case TRACE_AFTER: acquire(w, t, e->object); break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_RMW: load(w, e); break;
  case TRACE_TAKE: take(w, e); break;
  default: break; /* nothing else tells a thread something */
  }
}

/* What others may learn from it: the thread's own entry has the event by now. */
static void after_event(Walk *w, const TraceEvent *e) {
  uint32_t t = e->thread;
  Knower *k = &w->threads[t];
  switch (e->op) {
  case TRACE_CREATE:
    if (e->object < w->count) set(w, &w->threads[e->object].created, k->clock);
    break;
  case TRACE_END: set(w, &k->last, k->clock); break;
  case TRACE_UNLOCK: unlock(w, t, e->object); break;
  case TRACE_WAIT: unlock(w, t, e->arguments[0]); break;
  case TRACE_SEM_POST:
    channel(w, e->object)->value++;
    release(w, t, e->object);
    break;
  case TRACE_SIGNAL:
  case TRACE_BROADCAST:
  case TRACE_ONCE_END:
  case TRACE_BEFORE: release(w, t, e->object); break;
  case TRACE_BARRIER_ENTER: enter_barrier(w, t, e->object); break;
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW: store(w, e); break;
  case TRACE_FENCE: fence(w, e); break;
  case TRACE_GIVE: give(w, e); break;
  case TRACE_FORGET: forget(w, e->object); break;
  case TRACE_FREE: forget_range(w, e->object, e->arguments[0]); break;
  case TRACE_BARRIER_INIT:
  case TRACE_SEM_INIT: new_object(w, e); break;
  default: break; /* nothing else tells others something */
  }
}

/* ---- the table of positions ------------------------------------------------------- */

/* The epoch of what the thread knows now. */
static uint32_t epoch_of(Walk *w, uint32_t thread, uint32_t old) {
  Knower *k = &w->threads[thread];
  uint64_t size = (uint64_t)w->count * sizeof *k->clock;
  if (!k->learnt || w->cut) return w->cut ? 1 : old;
  k->learnt = false;
  if (size > w->memory) {
    w->cut = true;
    return 1;
  }
  w->memory -= size;
  vec_push(&w->run->epochs, (Epoch){arena_dup(w->run->arena, k->clock, size)});
  return w->run->epochs.len - 1;
}

/* What others told it while it was between two events counts for all of what lies there. */
static void refresh(Walk *w, uint32_t thread) {
  RunThread *t = &w->run->threads.data[thread];
  *vec_last(&t->epochs) = epoch_of(w, thread, *vec_last(&t->epochs));
}

static void walk_event(Walk *w, uint32_t index) {
  const TraceEvent *e = &w->trace->events.data[index];
  RunThread *t = &w->run->threads.data[e->thread];
  Knower *k = &w->threads[e->thread];
  assert(e->thread < w->count && e->place == t->positions.len);
  if (!k->begun) begin(w, e->thread);
  refresh(w, e->thread);
  k->loaded = 0;
  vec_push(&t->positions, e->place * HB_POSITIONS);
  vec_push(&w->run->steps,
           (Step){.event = index, .op = e->op, .thread = e->thread, .place = e->place});
  before_event(w, e);
  uint32_t epoch = epoch_of(w, e->thread, *vec_last(&t->epochs));
  assert(k->clock[e->thread] <= e->place * HB_POSITIONS); /* clocks go forward */
  k->clock[e->thread] = (e->place + 1) * HB_POSITIONS;
  after_event(w, e);
  for (int i = 0; i < HB_POSITIONS; i++) {
    vec_push(&t->steps, index);
    vec_push(&t->held, 0u);
    vec_push(&t->epochs, epoch);
  }
}

void hb_init(Run *run, const Trace *trace, bool presumed, uint64_t memory,
             bool *ret_cut) {
  *run = (Run){.trace = trace, .arena = arena_new(), .own = 1};
  uint32_t count = trace->threads.len;
  Walk w = {.run = run,
            .trace = trace,
            .arena = arena_new(),
            .count = count,
            .presumed = presumed,
            .memory = memory};
  w.threads = arena_alloc_zero(w.arena, (count + 1) * sizeof *w.threads);
  vec_push(&run->objects, (Object){0});
  vec_push(&run->lock_sets, (LockSet){0});
  uint32_t *all = arena_alloc(run->arena, (count + 1) * sizeof *all);
  memset(all, 0xff, (count + 1) * sizeof *all);
  vec_push(&run->epochs,
           (Epoch){arena_alloc_zero(run->arena, (count + 1) * sizeof *all)});
  vec_push(&run->epochs, (Epoch){all}); /* where nothing is known any more */
  if (count) (void)vec_extend(&run->threads, count);
  for (uint32_t i = 0; i < count; i++) {
    w.threads[i].clock = new_clock(&w);
    vec_push(&run->threads.data[i].epochs, 0u);
  }
  for (uint32_t i = 0; i < trace->events.len; i++) walk_event(&w, i);
  for (uint32_t i = 0; i < count; i++) {
    refresh(&w, i);
    vec_push(&run->threads.data[i].held, 0u);
  }
  for (uint32_t i = 0; i < count; i++)
    assert(run->threads.data[i].epochs.len == run->threads.data[i].held.len);
  *ret_cut = w.cut;
  vec_free(&w.channels);
  map_free(&w.objects);
  map_free(&w.read_locks);
  map_free(&w.rounds);
  arena_free(w.arena);
}
