/* See clocks.h.
 *
 * A clock is a row of numbers, one for each thread; the thread's own number grows with
 * each release. An access is remembered with the number that its thread had: it happens
 * before whatever a thread does whose clock has at least that number there. Memory is
 * remembered in granules of 8 bytes, each with the last access of every thread and edge.
 *
 * Where something is not followed exactly it is taken for ordered: atomics that overlap in
 * part join what each carries, and of more than MOST_THREADS threads nothing is said. */
#include "model/exec/clocks.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

enum {
  MOST_THREADS = 64,
  MOST_GRANULES = 4096, /* of one access */
  MOST_RECORDS = 64,    /* of one granule */
  WIDEST_ATOMIC = 16,
};

typedef struct {
  uint32_t at[MOST_THREADS];
} Clock;

/* What a release sequence of one thread carries. */
typedef struct {
  uint32_t thread;
  Clock clock;
} Head;

/* An atomic location. */
typedef struct {
  uint64_t size;
  VEC(Head) heads;
} Place;

typedef struct {
  Clock now;
  Clock fenced;  /* at the last release fence */
  Clock pending; /* what relaxed reads have found, for the next acquire fence */
} Actor;

typedef struct {
  EdgeId edge;
  uint32_t thread, number, step;
  uint8_t access, mask; /* which bytes of the granule */
  uint32_t next;        /* record + 1; 0: the last */
} Record;

struct Clocks {
  ClocksWants *wants;
  ClocksRace *race;
  void *user;
  Actor actors[MOST_THREADS];
  Map channels; /* key to Clock + 1 */
  VEC(Clock) channel_clocks;
  Map places; /* address to Place + 1 */
  VEC(Place) place_list;
  Map granules; /* number to Record + 1, first of its chain */
  VEC(Record) records;
  bool lost; /* too many threads: nothing is known any more */
};

Clocks *clocks_new(ClocksWants *wants, ClocksRace *race, void *user) {
  Clocks *c = mem_alloc_zero(sizeof *c);
  c->wants = wants;
  c->race = race;
  c->user = user;
  clocks_clear(c);
  return c;
}

static void drop_places(Clocks *c) {
  for (uint32_t i = 0; i < c->place_list.len; i++) vec_free(&c->place_list.data[i].heads);
  vec_clear(&c->place_list);
}

void clocks_clear(Clocks *c) {
  drop_places(c);
  map_clear(&c->channels);
  map_clear(&c->places);
  map_clear(&c->granules);
  vec_clear(&c->channel_clocks);
  vec_clear(&c->records);
  memset(c->actors, 0, sizeof c->actors);
  for (uint32_t i = 0; i < MOST_THREADS; i++) c->actors[i].now.at[i] = 1;
  c->lost = false;
}

void clocks_free(Clocks *c) {
  if (!c) return;
  drop_places(c);
  vec_free(&c->place_list);
  map_free(&c->channels);
  map_free(&c->places);
  map_free(&c->granules);
  vec_free(&c->channel_clocks);
  vec_free(&c->records);
  mem_free(c);
}

/* ---- clocks ---- */

static void join(Clock *to, const Clock *from) {
  for (int i = 0; i < MOST_THREADS; i++)
    if (from->at[i] > to->at[i]) to->at[i] = from->at[i];
}

static uint64_t channel_key(const ExecEvent *e) {
  uint64_t round = e->channel == CHANNEL_BARRIER ? e->other : 0;
  return (e->address * 8 + e->channel) ^ round << 48;
}

static void release(Clocks *c, const ExecEvent *e) {
  Actor *a = &c->actors[e->thread - 1];
  uint64_t *at = map_at(&c->channels, channel_key(e));
  if (!*at) {
    vec_push(&c->channel_clocks, (Clock){0});
    *at = c->channel_clocks.len;
  }
  join(&c->channel_clocks.data[*at - 1], &a->now);
  a->now.at[e->thread - 1]++;
}

static void acquire(Clocks *c, const ExecEvent *e) {
  uint64_t at = map_find(&c->channels, channel_key(e), 0);
  if (at) join(&c->actors[e->thread - 1].now, &c->channel_clocks.data[at - 1]);
}

static void reset(Clocks *c, const ExecEvent *e) {
  ExecEvent channel = *e;
  for (channel.channel = CHANNEL_LOCK; channel.channel <= CHANNEL_READERS;
       channel.channel++) {
    uint64_t at = map_find(&c->channels, channel_key(&channel), 0);
    if (at) c->channel_clocks.data[at - 1] = (Clock){0};
  }
}

/* ---- atomics ---- */

static bool acquires(uint8_t order) {
  return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool releases(uint8_t order) {
  return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static void read_atomic(Clocks *c, const ExecEvent *e) {
  Actor *a = &c->actors[e->thread - 1];
  for (uint64_t at = e->address - (WIDEST_ATOMIC - 1); at != e->address + e->size; at++) {
    uint64_t index = map_find(&c->places, at, 0);
    const Place *place = index ? &c->place_list.data[index - 1] : NULL;
    if (!place || at + place->size <= e->address) continue;
    for (uint32_t i = 0; i < place->heads.len; i++)
      join(acquires(e->order) ? &a->now : &a->pending, &place->heads.data[i].clock);
  }
}

static void add_head(Place *place, uint32_t thread, const Clock *clock) {
  for (uint32_t i = 0; i < place->heads.len; i++)
    if (place->heads.data[i].thread == thread) {
      join(&place->heads.data[i].clock, clock);
      return;
    }
  vec_push(&place->heads, ((Head){thread, *clock}));
}

/* A store ends the release sequences of all other threads. */
static void keep_own_heads(Place *place, uint32_t thread) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < place->heads.len; i++)
    if (place->heads.data[i].thread == thread)
      place->heads.data[kept++] = place->heads.data[i];
  place->heads.len = kept;
}

static void write_atomic(Clocks *c, const ExecEvent *e) {
  Actor *a = &c->actors[e->thread - 1];
  uint64_t *at = map_at(&c->places, e->address);
  if (!*at) {
    vec_push(&c->place_list, (Place){0});
    *at = c->place_list.len;
  }
  Place *place = &c->place_list.data[*at - 1];
  if (e->size > place->size) place->size = e->size;
  if (!(e->access & ACCESS_READ)) keep_own_heads(place, e->thread);
  add_head(place, e->thread, releases(e->order) ? &a->now : &a->fenced);
  if (releases(e->order)) a->now.at[e->thread - 1]++;
}

static void fence(Clocks *c, const ExecEvent *e) {
  Actor *a = &c->actors[e->thread - 1];
  if (acquires(e->order)) join(&a->now, &a->pending);
  if (!releases(e->order)) return;
  a->fenced = a->now;
  a->now.at[e->thread - 1]++;
}

/* ---- memory ---- */

static bool conflict(uint8_t x, uint8_t y) {
  return ((x | y) & ACCESS_WRITE) && !(x & y & ACCESS_ATOMIC);
}

static uint8_t mask_of(const ExecEvent *e, uint64_t granule) {
  uint64_t from = granule * 8 > e->address ? granule * 8 : e->address;
  uint64_t to =
      granule * 8 + 8 < e->address + e->size ? granule * 8 + 8 : e->address + e->size;
  assert(from < to && to - from <= 8);
  return (uint8_t)(((1u << (to - from)) - 1) << (from - granule * 8));
}

static void remember(Clocks *c, const ExecEvent *e, uint64_t granule, uint8_t mask,
                     uint32_t step) {
  uint64_t *first = map_at(&c->granules, granule);
  uint32_t own = c->actors[e->thread - 1].now.at[e->thread - 1], count = 0;
  assert(own > 0 && mask);
  Record record = {e->edge, e->thread, own, step, e->access, mask, (uint32_t)*first};
  for (uint32_t i = (uint32_t)*first; i; i = c->records.data[i - 1].next, count++) {
    Record *r = &c->records.data[i - 1];
    bool same = r->edge == e->edge && r->thread == e->thread && r->mask == mask &&
                r->access == e->access;
    if (!same && count < MOST_RECORDS) continue;
    record.next = r->next;
    *r = record;
    return;
  }
  vec_push(&c->records, record);
  *first = c->records.len;
}

/* Reports each edge of another thread once for this access. */
static void touch(Clocks *c, const ExecEvent *e, uint64_t granule, uint32_t step) {
  const Clock *now = &c->actors[e->thread - 1].now;
  uint8_t mask = mask_of(e, granule);
  for (uint32_t i = (uint32_t)map_find(&c->granules, granule, 0); i;
       i = c->records.data[i - 1].next) {
    const Record *r = &c->records.data[i - 1];
    uint8_t common = r->mask & mask;
    if (!common || r->thread == e->thread || !conflict(r->access, e->access) ||
        r->number <= now->at[r->thread - 1])
      continue;
    ClockAccess before = {.edge = r->edge,
                          .thread = r->thread,
                          .step = r->step,
                          .access = r->access,
                          .address = granule * 8 + (uint64_t)__builtin_ctz(common)};
    c->race(c->user, &before, e);
  }
  remember(c, e, granule, mask, step);
}

static void access_memory(Clocks *c, const ExecEvent *e, uint32_t step) {
  assert(e->size > 0);
  if (c->wants(c->user, e->edge)) {
    uint64_t first = e->address / 8, last = (e->address + e->size - 1) / 8;
    if (last - first >= MOST_GRANULES) last = first + MOST_GRANULES - 1;
    for (uint64_t g = first; g <= last; g++) touch(c, e, g, step);
  }
  if (!e->order) return;
  if (e->access & ACCESS_READ) read_atomic(c, e);
  if (e->access & ACCESS_WRITE) write_atomic(c, e);
}

/* A new object: granules are never shared by two. */
static void forget(Clocks *c, const ExecEvent *e) {
  if (!c->records.len) return;
  uint64_t first = e->address / 8, last = (e->address + e->size - 1) / 8;
  for (uint64_t g = first; g <= last; g++) {
    uint64_t *chain = map_get(&c->granules, g);
    if (chain) *chain = 0;
  }
}

void clocks_event(Clocks *c, const ExecEvent *e, uint32_t step) {
  c->lost = c->lost || e->thread > MOST_THREADS || e->other > UINT32_MAX / 2;
  if (c->lost) return;
  assert(e->thread > 0);
  Actor *a = &c->actors[e->thread - 1];
  switch ((ExecEventKind)e->kind) {
  case EVENT_ACCESS: access_memory(c, e, step); break;
  case EVENT_FENCE: fence(c, e); break;
  case EVENT_RELEASE: release(c, e); break;
  case EVENT_ACQUIRE: acquire(c, e); break;
  case EVENT_RESET: reset(c, e); break;
  case EVENT_CREATE:
    c->lost = e->other > MOST_THREADS;
    if (c->lost) break;
    join(&c->actors[e->other - 1].now, &a->now);
    a->now.at[e->thread - 1]++;
    break;
  case EVENT_JOIN:
    if (e->other <= MOST_THREADS) join(&a->now, &c->actors[e->other - 1].now);
    break;
  case EVENT_FRESH: forget(c, e); break;
  }
}
