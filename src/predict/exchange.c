/* See exchange.h.
 *
 * A *deal* is a step at which a thread gets something (a lock, a token, a value) at a place in
 * the code where another thread does so, too; or the beginning of a thread that was created at
 * the same place as another one. From its first deal on, each step at which a thread gets
 * something may begin another item of work. Two accesses of different items, at least one a
 * write, not both atomic, without a common lock and not to the thread's own stack, are a pair.
 *
 * Likely ones come first: memory that several threads access, and memory of the program itself
 * or its heap. Last come a few of threads that have nothing but a lock in common: one that
 * steals work from another may do so by other code, or by a copy of the same. */
#include "predict/exchange.h"

#include "predict/pairs.h"
#include "predict/walk.h"
#include "predict/words.h"

enum {
  MOST_KINDS = 32,      /* of accesses that are remembered for a word */
  MOST_NODES = 1 << 21, /* for all words; what comes later is not remembered */
  MOST_WORDS = 64,      /* of one access that are looked at */
};

typedef struct {
  RaceAccess access;
  uint32_t older; /* of the same word: node + 1 */
} Node;

enum { RANKS = 8, WEAK = 4, MOST_WEAK = 4 }; /* ranks from WEAK on: see above */

typedef struct {
  const Run *run;
  uint32_t **items; /* per thread and position: deals before it */
  uint32_t
      *strong;  /* per thread: the position behind its first deal of code, or NO_STEP */
  Words memory; /* word → newest node + 1 */
  VEC(Node) nodes;
  Map pairs; /* keys that are known */
  Exchanges found[RANKS];
} Finder;

/* ---- deals ------------------------------------------------------------------------ */

static bool gets(TraceOp op) {
  return op == TRACE_LOCK || op == TRACE_READ_LOCK || op == TRACE_WOKEN ||
         op == TRACE_SEM_WAIT || op == TRACE_ATOMIC_LOAD || op == TRACE_ATOMIC_RMW ||
         op == TRACE_START;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
  return a ^ a >> 29;
}

/* Where another thread may come as well; for the beginning of a thread, where it was
 * created. */
static uint64_t deal_of(const Run *run, const Step *s, const Map *creations) {
  const TraceEvent *e = &run->trace->events.data[s->event];
  if (s->op == TRACE_START) {
    uint64_t place = map_find(creations, s->thread, 0);
    return place ? mix(place, TRACE_START) : 0;
  }
  return mix(e->pc, s->op);
}

/* Who comes there: a thread + 1, or UINT64_MAX for several. */
static void note_who(Map *deals, uint64_t key, uint32_t thread) {
  uint64_t *who = map_at(deals, key), me = thread + UINT64_C(1);
  *who = !*who || *who == me ? me : UINT64_MAX;
}

static bool is_common(const Map *deals, uint64_t key) {
  return map_find(deals, key, 0) == UINT64_MAX;
}

static uint64_t object_of(const Step *s) {
  bool lock = s->op == TRACE_LOCK || s->op == TRACE_READ_LOCK;
  return lock && s->object ? mix(s->object, TRACE_OP_COUNT) : 0;
}

static void find_deals(const Run *run, Map *creations, Map *deals) {
  for (uint32_t i = 0; i < run->trace->events.len; i++) {
    const TraceEvent *e = &run->trace->events.data[i];
    if (e->op == TRACE_CREATE) map_put(creations, e->object, e->pc);
  }
  for (uint32_t i = 0; i < run->steps.len; i++) {
    const Step *s = &run->steps.data[i];
    uint64_t key = gets(s->op) ? deal_of(run, s, creations) : 0;
    if (key) note_who(deals, key, s->thread);
    if (object_of(s)) note_who(deals, object_of(s), s->thread);
  }
}

/* False when there are none. */
static bool count_items(Finder *f) {
  Map creations = {0}, deals = {0};
  bool any = false;
  find_deals(f->run, &creations, &deals);
  for (uint32_t t = 0; t < f->run->threads.len; t++) {
    const RunThread *thread = &f->run->threads.data[t];
    f->strong[t] = NO_STEP;
    uint32_t *items = f->items[t] =
        mem_alloc_zero((thread->steps.len + 2) * sizeof *items);
    for (uint32_t p = 0; p < thread->steps.len; p++) {
      const Step *s = &f->run->steps.data[thread->steps.data[p]];
      uint64_t key = gets(s->op) ? deal_of(f->run, s, &creations) : 0;
      bool code = key && is_common(&deals, key);
      if (code && f->strong[t] == NO_STEP) f->strong[t] = p + 1;
      bool deal = code || (object_of(s) && is_common(&deals, object_of(s)));
      items[p + 1] = items[p] + (deal || (key && items[p]));
      any |= items[p + 1] > 1;
    }
  }
  map_free(&creations);
  map_free(&deals);
  return any;
}

/* ---- pairs ------------------------------------------------------------------------ */

static uint32_t item_of(const Finder *f, const RaceAccess *a) {
  return f->items[a->thread][a->position];
}

static uint32_t held(const Finder *f, const RaceAccess *a) {
  return f->run->threads.data[a->thread].held.data[a->position];
}

static bool is_strong(const Finder *f, const RaceAccess *a) {
  return a->position >= f->strong[a->thread];
}

/* Of two threads, too: when each of them did its item, others may have been in the way. */
static bool are_items(const Finder *f, const RaceAccess *a, const RaceAccess *b) {
  if (a->thread == b->thread) return item_of(f, a) != item_of(f, b);
  return is_strong(f, a) && is_strong(f, b) &&
         !run_ordered(f->run, b->thread, b->position, a->thread, a->position) &&
         !run_ordered(f->run, a->thread, a->position, b->thread, b->position);
}

static bool may_race(const Finder *f, const RaceAccess *a, const RaceAccess *b) {
  return are_items(f, a, b) && (a->write || b->write) && !(a->atomic && b->atomic) &&
         a->address < b->address + b->size && b->address < a->address + a->size &&
         !run_guarded(f->run, held(f, a), held(f, b));
}

static uint32_t lock_kind(const Finder *f, const RaceAccess *a) {
  return f->run->lock_sets.data[held(f, a)].kind;
}

static bool same_kind(const Finder *f, const RaceAccess *a, const RaceAccess *b) {
  return a->pc == b->pc && a->thread == b->thread && a->address == b->address &&
         a->write == b->write && a->atomic == b->atomic &&
         lock_kind(f, a) == lock_kind(f, b);
}

/* Small objects of the heap lie behind the program; large ones, stacks and thread-local data
 * elsewhere. */
static bool is_near(const Trace *trace, uint64_t address) {
  const uint64_t near = UINT64_C(1) << 32;
  return trace->modules.len && address - trace->modules.data[0].base < near;
}

static bool is_shared(const Finder *f, uint32_t slot) {
  uint32_t thread = slot ? f->nodes.data[slot - 1].access.thread : 0;
  for (uint32_t i = slot; i; i = f->nodes.data[i - 1].older)
    if (f->nodes.data[i - 1].access.thread != thread) return true;
  return false;
}

static void look_at(Finder *f, uint32_t *slot, const RaceAccess *a) {
  uint32_t kinds = 0;
  bool known = false;
  for (uint32_t i = *slot; i; i = f->nodes.data[i - 1].older, kinds++) {
    const RaceAccess *b = &f->nodes.data[i - 1].access;
    known |= same_kind(f, a, b);
    if (!may_race(f, a, b)) continue;
    bool near = is_near(f->run->trace, a->address), strong = is_strong(f, b);
    uint64_t *told = map_at(&f->pairs, pairs_key(a->pc, b->pc));
    if (*told || !(near || strong)) continue;
    *told = 1;
    uint32_t rank = (is_shared(f, *slot) ? 0 : 1) + (near ? 0 : 2) + (strong ? 0 : WEAK);
    vec_push(&f->found[rank], (RacePair){*b, *a});
  }
  if (known || kinds >= MOST_KINDS || f->nodes.len >= MOST_NODES) return;
  vec_push(&f->nodes, (Node){*a, *slot});
  *slot = f->nodes.len;
}

static void visit(void *user, Walk *walk, const RaceAccess *a) {
  Finder *f = user;
  (void)walk;
  const TraceThread *t = &f->run->trace->threads.data[a->thread];
  if (a->frees || !item_of(f, a) || a->address - t->stack < t->stack_size) return;
  uint64_t first = a->address / 8, last = (a->address + a->size - 1) / 8;
  if (last - first >= MOST_WORDS) last = first + MOST_WORDS - 1;
  for (uint64_t word = first; word <= last; word++)
    look_at(f, words_slot(&f->memory, word, true), a);
}

static void forget(void *user, uint64_t address, uint64_t size) {
  words_close(&((Finder *)user)->memory, address, size);
}

bool exchange_is_lopsided(const Run *run) {
  enum { MANY_STEPS = 100, SHARE = 50 };
  uint32_t most = 0, created = 0, idle = 0;
  for (uint32_t t = 0; t < run->threads.len; t++)
    if (run->threads.data[t].steps.len > most) most = run->threads.data[t].steps.len;
  for (uint32_t t = 1; t < run->threads.len; t++) {
    created++;
    idle += run->threads.data[t].steps.len < most / SHARE;
  }
  return most >= MANY_STEPS && idle > created / 2;
}

void exchange_find(const Run *run, const RacesOptions *options, Exchanges *ret) {
  Finder f = {.run = run};
  WalkVisitor visitor = {&f, visit, forget};
  f.items = mem_alloc_zero((run->threads.len + 1) * sizeof *f.items);
  f.strong = mem_alloc_zero((run->threads.len + 1) * sizeof *f.strong);
  if (count_items(&f)) walk_run(run, &visitor, options->deadline, options->progress);
  for (uint32_t rank = 0, weak = 0; rank < RANKS; rank++) {
    for (uint32_t i = 0; i < f.found[rank].len; i++)
      if (rank < WEAK || weak++ < MOST_WEAK) vec_push(ret, f.found[rank].data[i]);
    vec_free(&f.found[rank]);
  }
  for (uint32_t t = 0; t < run->threads.len; t++) mem_free(f.items[t]);
  mem_free(f.items);
  mem_free(f.strong);
  words_clear(&f.memory);
  vec_free(&f.nodes);
  map_free(&f.pairs);
}
