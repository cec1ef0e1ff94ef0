/* No circle of waits: of threads of which each waits for a lock that the next one holds, or for its end.
 *
 * A thread holds the locks that its state names, all of them and no others: every step was looked at with that in
 * mind (names_all_locks, vague). And it holds its own end, which it gives away by ending. Let D be threads that
 * wait for ever, each for a lock or an end, because nobody outside of D can let it go on. What one of them waits
 * for is held by another one of them, so from holder to holder some thread is met again: those between have closed
 * a circle. If no circle of "holds h and waits for w" can be made by different threads that are there at the
 * same time, D is empty.
 *
 * Two waits are not there at the same time if their threads never are, or if both threads hold a common lock, not
 * both for reading. Waits for conditions, semaphores, barriers and one-time initialisers are not looked
 * at: who claims an order of locks names them as conditions. */
#include "proof/proof_internal.h"

#include "model/sync.h"

#include <assert.h>
#include <stdarg.h>

enum {
  TRIES = 1000000, /* steps of the search for circles */
  LONGEST = 32,    /* a circle */
};
#define NO_THING UINT32_MAX

/* What a thread can wait for: a lock, or (object 0) the end of a thread of a kind. */
typedef struct {
  ObjectId object;
  int64_t at; /* offset, or the kind of thread */
} Thing;

typedef struct {
  uint32_t thing;
  bool reads;
} Held;

typedef struct {
  uint32_t thread, alive;
  EdgeId edge;
  uint32_t wants; /* a thing */
  bool reads;
  uint32_t first_held, held_count; /* Orders.held */
} Wait;

/* The thread of the wait holds this meanwhile. */
typedef struct {
  uint32_t wait, holds;
  bool reads;
} Arc;

typedef struct {
  VEC(Thing) things;
  Map thing_ids; /* object << 32 | at to the number + 1 */
  VEC(Wait) waits;
  VEC(Held) held;
  VEC(Arc) arcs;           /* sorted by what is held */
  VEC(uint32_t) first_arc; /* by thing; one more at the end */
  Map seen;                /* hash of a wait */
  bool writers_first, joins_main;
  uint32_t thread;
  World world;
  uint32_t tries;
} Orders;

void against_orders(Proof *p, EdgeId edge, const char *format, ...) {
  if (!p->asks_orders || p->result->against_orders.what) return;
  va_list args;
  va_start(args, format);
  p->result->against_orders = (Rejection){edge, arena_vprintf(p->arena, format, args)};
  va_end(args);
}

/* ---- what is waited for ---- */

static uint32_t thing_of(Orders *o, ObjectId object, int64_t at) {
  assert(at >= 0 && at <= UINT32_MAX);
  uint64_t *slot = map_at(&o->thing_ids, (uint64_t)object << 32 | (uint32_t)at);
  if (!*slot) {
    vec_push(&o->things, ((Thing){object, at}));
    *slot = o->things.len;
  }
  return (uint32_t)*slot - 1;
}

/* Nobody has the lock when the program begins: its first word says so. Spin locks must be made first. */
static bool begins_free(const Proof *p, ObjectId object, int64_t at, uint32_t kind) {
  const Object *o = &p->p->objects.data[object];
  for (uint64_t i = (uint64_t)at; i < (uint64_t)at + 4 && kind != LOCK_SPIN; i++)
    if (i < o->init_size && p->p->bytes.data[o->init + i]) return false;
  return true;
}

/* The name is that of one lock in the whole run, which nobody writes over as data. */
static bool is_one_lock(Proof *p, const Val *name, uint32_t kind, Val *ret) {
  *ret = val_settled(p, name);
  ObjectId object;
  EdgeId writer;
  return ret->known && !ret->index && ret->offset >= 0 && ret->offset <= INT32_MAX &&
         single_object_at(p, name, &object) && !(ret->base & 1) &&
         only_writer(p, object, ret->offset, lock_bytes((LockKind)kind), &writer) &&
         !writer && begins_free(p, object, ret->offset, kind);
}

/* The library's locks of streams count. A mutex does if it was made so in the source text, and nothing
 * else makes it. */
static bool counts(Proof *p, const Val *name, uint32_t kind) {
  if (kind == LOCK_RECURSIVE) return true;
  const Object *o = &p->p->objects.data[name->base >> 1];
  uint64_t at = (uint64_t)name->offset + MUTEX_KIND_OFFSET;
  if (kind != LOCK_MUTEX || p->inits_locks || at >= o->init_size) return false;
  return mutex_type_of_kind(p->p->bytes.data[o->init + at]) == MUTEX_RECURSIVE;
}

/* ---- the waits ---- */

static uint64_t wait_hash(const Orders *o, const Wait *w) {
  uint64_t h = (uint64_t)w->thread << 32 | w->alive;
  h = (h ^ w->wants * 2 ^ w->reads) * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 0; i < w->held_count; i++) {
    const Held *x = &o->held.data[w->first_held + i];
    h = (h ^ (h >> 29) ^ (x->thing * 2 + x->reads)) * UINT64_C(0x9e3779b97f4a7c15);
  }
  return h;
}

static bool same_wait(const Orders *o, const Wait *a, const Wait *b) {
  bool same = a->thread == b->thread && a->alive == b->alive && a->wants == b->wants &&
              a->reads == b->reads && a->held_count == b->held_count;
  for (uint32_t i = 0; same && i < a->held_count; i++) {
    const Held *x = &o->held.data[a->first_held + i],
               *y = &o->held.data[b->first_held + i];
    same = x->thing == y->thing && x->reads == y->reads;
  }
  return same;
}

static void add_wait(Orders *o, Wait w) {
  assert(w.wants < o->things.len);
  assert(w.first_held + w.held_count == o->held.len);
  uint64_t key = wait_hash(o, &w);
  for (int probe = 0; probe < 16; probe++, key = key * 31 + 7) {
    uint64_t *slot = map_at(&o->seen, key);
    if (*slot && same_wait(o, &o->waits.data[*slot - 1], &w)) return;
    if (*slot) continue;
    *slot = o->waits.len + 1;
    break;
  }
  vec_push(&o->waits, w);
}

/* What the state holds while it waits, but for the mutex that a wait for a condition has released. */
static bool list_held(Proof *p, Orders *o, const CertState *s, uint32_t released,
                      Wait *ret) {
  ret->first_held = o->held.len;
  for (uint32_t i = 0; i < s->lock_count; i++) {
    const CertLock *l = &p->c->locks.data[s->first_lock + i];
    Val name;
    if (l->kind == LOCK_WORD) continue; /* nobody sleeps until it is free */
    if (!is_one_lock(p, &l->name, l->kind, &name)) {
      against_orders(p, ret->edge, "a lock that is held has no name of its own");
      return false;
    }
    assert(name.base >> 1); /* 0 is the end of a thread */
    Held held = {thing_of(o, name.base >> 1, name.offset), l->mode == MODE_SHARED};
    if (held.thing != released) vec_push(&o->held, held);
  }
  ret->held_count = o->held.len - ret->first_held;
  return true;
}

static const Held *find_held(const Orders *o, const Wait *w, uint32_t thing) {
  for (uint32_t i = 0; i < w->held_count; i++)
    if (o->held.data[w->first_held + i].thing == thing)
      return &o->held.data[w->first_held + i];
  return NULL;
}

static void wait_for_lock(Proof *p, Orders *o, uint32_t state, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  const CertState *s = &p->c->states.data[state];
  bool again = edge->op == OP_WAIT; /* the mutex, when the wait is over */
  uint32_t kind = again ? LOCK_MUTEX : edge->lock;
  world_load(p, &o->world, state);
  Val called = lock_name(p, &o->world, again ? edge->b : edge->a), name;
  if (!is_one_lock(p, &called, kind, &name)) {
    against_orders(
        p, e, "the lock that is waited for has no name of its own, or is written over");
    return;
  }
  Wait w = {.thread = o->thread,
            .alive = s->alive,
            .edge = e,
            .wants = thing_of(o, name.base >> 1, name.offset),
            .reads = !again && edge->mode == MODE_SHARED};
  if (!list_held(p, o, s, again ? w.wants : NO_THING, &w)) return;
  const Held *mine = find_held(o, &w, w.wants);
  if (mine && counts(p, &name, kind)) return; /* what one has is not waited for */
  bool readers = mine && mine->reads && w.reads && !o->writers_first;
  if (mine && !readers)
    against_orders(p, e, "the thread may hold already what it waits for");
  add_wait(o, w);
}

/* The id may be that of any thread, of main only where it could ask for its own. */
static void wait_for_end(Proof *p, Orders *o, uint32_t state, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  world_load(p, &o->world, state);
  Val id = eval(p, &o->world, edge->a);
  uint32_t kind;
  bool known = thread_meant(p, &id, &kind);
  Wait w = {.thread = o->thread, .alive = p->c->states.data[state].alive, .edge = e};
  if (!list_held(p, o, &p->c->states.data[state], NO_THING, &w)) return;
  for (uint32_t k = 0; k < p->c->threads.len; k++) {
    if (known ? k != kind : k == 0 && !o->joins_main) continue;
    w.wants = thing_of(o, 0, k);
    add_wait(o, w);
  }
}

static bool may_fork(const Proof *p, EdgeId id) {
  const Edge *e = program_edge(p->p, id);
  if (e->op != OP_CALL) return false;
  const FuncId *callees;
  uint32_t n = pointsto_callees(p->pt, id, &callees);
  for (uint32_t i = 0; i < n; i++)
    if (p->p->functions.data[callees[i]].flags & FUNCTION_FORKS) return true;
  return false;
}

static void look_at_wait(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                         void *data) {
  (void)context;
  Orders *o = data;
  const Edge *edge = program_edge(p->p, e);
  const CertState *s = &p->c->states.data[state];
  bool locks = edge->op == OP_LOCK && edge->attempt == ATTEMPT_BLOCK;
  bool joins = edge->op == OP_JOIN && edge->attempt == ATTEMPT_BLOCK;
  if (edge->op == OP_EXIT_THREAD && s->lock_count)
    against_orders(p, e, "a thread ends with a lock");
  if ((o->thread || s->alive) && may_fork(p, e))
    against_orders(p, e, "a process is made beside other threads");
  if (!locks && !joins && edge->op != OP_WAIT) return;
  if (thread_is_apart(p, o->thread))
    against_orders(p, e, "a function that is called at any time waits");
  if (s->section) against_orders(p, e, "a thread waits in an atomic section");
  if (joins)
    wait_for_end(p, o, state, e);
  else
    wait_for_lock(p, o, state, e);
}

/* ---- what stands against every order ---- */

static void look_at_ends(Proof *p) {
  for (uint32_t t = 1; t < p->c->threads.len; t++) {
    const CertThread *thread = &p->c->threads.data[t];
    for (uint32_t i = 0; i < thread->entry_count; i++) {
      const CertContext *c =
          &p->c->contexts.data[p->c->numbers.data[thread->first_entry + i]];
      for (uint32_t x = 0; x < c->exit_count; x++)
        if (p->c->states.data[p->c->exits.data[c->first_exit + x].state].lock_count)
          against_orders(p, thread->site, "a thread ends with a lock");
    }
  }
}

static bool is_filled(const Proof *p, const Object *o) {
  for (uint64_t i = 0; i < o->init_size; i++)
    if (p->p->bytes.data[o->init + i]) return true;
  return false;
}

/* A read-write lock whose first bytes say something may be one that prefers writers. */
static bool may_prefer_writers(const Proof *p, const Edge *e) {
  if (e->op != OP_LOCK || e->lock != LOCK_RW) return false;
  Targets t = pointsto_expr(p->pt, e->a);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function &&
        is_filled(p, &p->p->objects.data[pointsto_object(p->pt, t.targets[i].object)]))
      return true;
  return t.unknown;
}

static void look_around(Proof *p, Orders *o) {
  for (FuncId f = 1; f < p->p->functions.len; f++) {
    const Function *x = &p->p->functions.data[f];
    if (!strcmp(sym_text(p->p, x->name), "pthread_rwlockattr_setkind_np"))
      o->writers_first = true;
    for (uint32_t i = 0; i < x->edge_count; i++) {
      const Edge *e = program_edge(p->p, x->first_edge + i);
      p->inits_locks = p->inits_locks || e->op == OP_LOCK_INIT;
      o->joins_main = o->joins_main || e->op == OP_SELF;
      o->writers_first = o->writers_first || may_prefer_writers(p, e);
    }
  }
  if (p->has_setjmp) against_orders(p, 0, "code is left by longjmp");
  if (p->has_cancel)
    against_orders(p, 0, "threads are cancelled, with the locks that they hold");
  if (program_may_be_robust(p->p))
    against_orders(p, 0, "a mutex may be lost with its owner");
  if (p->p->destructors.len > 1)
    against_orders(p, 0, "functions run at the end of the program");
}

/* ---- circles ---- */

static bool can_block(const Orders *o, const Wait *w, const Arc *holder) {
  return o->writers_first || !w->reads || !holder->reads;
}

/* The two threads cannot both be there, or are one. */
static bool exclude_each_other(const Proof *p, const Orders *o, const Wait *a,
                               const Wait *b) {
  if (!may_be_parallel(p, a->thread, a->alive, b->thread, b->alive)) return true;
  for (uint32_t i = 0; i < a->held_count; i++) {
    const Held *x = &o->held.data[a->first_held + i], *y = find_held(o, b, x->thing);
    if (y && !(x->reads && y->reads)) return true;
  }
  return false;
}

static void add_arcs(Orders *o, uint32_t wait) {
  const Wait *w = &o->waits.data[wait];
  for (uint32_t i = 0; i < w->held_count; i++) {
    const Held *h = &o->held.data[w->first_held + i];
    assert(h->thing < o->things.len);
    if (h->thing != w->wants) vec_push(&o->arcs, ((Arc){wait, h->thing, h->reads}));
  }
  const uint64_t *end = map_get(&o->thing_ids, w->thread);
  if (end) vec_push(&o->arcs, ((Arc){wait, (uint32_t)*end - 1, false}));
}

/* Arcs that lead nowhere, or to which nothing leads, are in no circle. */
static bool drop_idle_arcs(Orders *o, uint8_t *wanted, uint8_t *held) {
  memset(wanted, 0, o->things.len);
  memset(held, 0, o->things.len);
  for (uint32_t i = 0; i < o->arcs.len; i++) {
    wanted[o->waits.data[o->arcs.data[i].wait].wants] = 1;
    held[o->arcs.data[i].holds] = 1;
  }
  uint32_t kept = 0, before = o->arcs.len;
  for (uint32_t i = 0; i < o->arcs.len; i++) {
    Arc a = o->arcs.data[i];
    if (wanted[a.holds] && held[o->waits.data[a.wait].wants]) o->arcs.data[kept++] = a;
  }
  o->arcs.len = kept;
  return kept < before;
}

static void sort_arcs(Orders *o) {
  VEC(Arc) sorted = {0};
  for (uint32_t t = 0; t < o->things.len; t++) {
    vec_push(&o->first_arc, sorted.len);
    for (uint32_t i = 0; i < o->arcs.len; i++)
      if (o->arcs.data[i].holds == t) vec_push(&sorted, o->arcs.data[i]);
  }
  vec_push(&o->first_arc, sorted.len);
  assert(sorted.len == o->arcs.len); /* each holds some thing */
  assert(o->first_arc.len == o->things.len + 1);
  for (uint32_t i = 0; i < sorted.len; i++) o->arcs.data[i] = sorted.data[i];
  vec_free(&sorted);
}

/* Goes on from the last arc of the chain; each circle is found from its smallest thing. */
static bool closes_circle(Proof *p, Orders *o, const Arc **chain, uint32_t n) {
  assert(n && n <= LONGEST);
  const Wait *last = &o->waits.data[chain[n - 1]->wait];
  if (last->wants == chain[0]->holds) return can_block(o, last, chain[0]);
  if (n == LONGEST || ++o->tries > TRIES || is_stopped(p)) return true;
  for (uint32_t i = o->first_arc.data[last->wants];
       i < o->first_arc.data[last->wants + 1]; i++) {
    const Arc *next = &o->arcs.data[i];
    bool fits = next->holds > chain[0]->holds && can_block(o, last, next);
    for (uint32_t k = 0; fits && k < n; k++)
      fits = chain[k]->holds != next->holds &&
             !exclude_each_other(p, o, &o->waits.data[chain[k]->wait],
                                 &o->waits.data[next->wait]);
    chain[n] = next;
    if (fits && closes_circle(p, o, chain, n + 1)) return true;
  }
  return false;
}

static void look_for_circles(Proof *p, Orders *o) {
  uint8_t *wanted = mem_alloc_zero(o->things.len + 1),
          *held = mem_alloc_zero(o->things.len + 1);
  for (uint32_t i = 0; i < o->waits.len; i++) add_arcs(o, i);
  while (drop_idle_arcs(o, wanted, held) && !is_stopped(p)) {
  }
  sort_arcs(o);
  for (uint32_t i = 0; i < o->arcs.len; i++) {
    const Arc *chain[LONGEST + 1] = {&o->arcs.data[i]};
    if (!closes_circle(p, o, chain, 1)) continue;
    against_orders(p, o->waits.data[o->arcs.data[i].wait].edge,
                   o->tries > TRIES ? "there are too many circles to look at"
                                    : "there may be a circle of waits");
    break;
  }
  mem_free(wanted);
  mem_free(held);
}

void check_orders(Proof *p) {
  if (!p->asks_orders) return;
  Orders o = {0};
  uint8_t *runs = mem_alloc_zero(p->c->contexts.len + 1);
  look_around(p, &o);
  look_at_ends(p);
  for (o.thread = 0; o.thread < p->c->threads.len && !is_stopped(p); o.thread++) {
    contexts_of_thread(p, o.thread, runs);
    for (uint32_t c = 0; c < p->c->contexts.len; c++)
      if (runs[c]) visit_context(p, c, look_at_wait, &o);
  }
  look_for_circles(p, &o);
  p->orders_examined = true;
  vec_free(&o.things);
  map_free(&o.thing_ids);
  vec_free(&o.waits);
  vec_free(&o.held);
  vec_free(&o.arcs);
  vec_free(&o.first_arc);
  map_free(&o.seen);
  world_free(&o.world);
  mem_free(runs);
}
