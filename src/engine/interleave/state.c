/* See state.h: making states, and their canonical packed form.
 *
 * Packing walks from the roots (globals, registers, frames' objects) along addresses and
 * numbers instances in the order in which it meets them. While `lost` is set an address
 * may be hidden in a TOP, so that nothing alive may be left out. The layout of the packed
 * bytes is the arrays one after the other; the edges of entries, which only serve
 * reports, come last and are no part of the canonical form. */
#include "engine/interleave/state.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

void state_free(State *s) {
  vec_free(&s->instances);
  vec_free(&s->cells);
  vec_free(&s->syncs);
  vec_free(&s->entries);
  for (uint32_t i = 0; i < IL_MAX_THREADS; i++) {
    vec_free(&s->threads[i].frames);
    vec_free(&s->threads[i].regs);
  }
  memset(s, 0, sizeof *s);
}

void state_start(State *s, const Facts *facts) {
  const Program *p = facts->program;
  for (uint32_t i = 0; i < facts->static_count; i++) {
    const Object *o = vec_at(&p->objects, facts->static_object[i]);
    bool known = o->kind == OBJECT_GLOBAL && !(o->flags & OBJECT_EXTERNAL) &&
                 !facts_is_havocked(facts, facts->static_object[i]);
    s->lost = s->lost || (!known && o->reloc_count);
    Instance instance = {.object = facts->static_object[i],
                         .size = o->size && o->size < SIZE_UNKNOWN ? (uint32_t)o->size
                                                                   : SIZE_UNKNOWN,
                         .contents = known ? DEFAULT_INITIAL : DEFAULT_TOP};
    vec_push(&s->instances, instance);
  }
}

uint64_t state_live_threads(const State *s) {
  uint64_t live = 0;
  for (uint32_t i = 0; i < s->thread_count; i++)
    if (s->threads[i].status == THREAD_LIVE) live |= UINT64_C(1) << i;
  return live;
}

/* ---- packing ---- */

struct Packer {
  ByteVec bytes;
  VEC(uint32_t) cuts;
  VEC(uint32_t) number; /* by old instance: new one + 1; 0: not met */
  VEC(uint32_t) order;  /* old instances in new order */
  uint8_t met_thread[IL_MAX_THREADS];
  uint8_t new_thread[IL_MAX_THREADS];
  uint32_t ranked[IL_MAX_THREADS];    /* slots in the order of the packed form */
  uint32_t first_reg[IL_MAX_THREADS]; /* by slot: in regs */
  VEC(uint32_t) sync_order;
  uint32_t new_sync[IL_MAX_SYNCS];
  VEC(Entry) entries;
  VEC(AbsValue) regs;
  const State *state;
  bool joins;
};

Packer *packer_new(bool joins) {
  Packer *k = mem_alloc_zero(sizeof *k);
  k->joins = joins;
  return k;
}

void packer_free(Packer *k) {
  if (!k) return;
  vec_free(&k->bytes);
  vec_free(&k->cuts);
  vec_free(&k->number);
  vec_free(&k->order);
  vec_free(&k->sync_order);
  vec_free(&k->entries);
  vec_free(&k->regs);
  mem_free(k);
}

static void put(Packer *k, const void *bytes, size_t n) {
  if (n) memcpy(vec_extend(&k->bytes, n), bytes, n);
}

/* A part ends here that may be the same in many states. */
static void cut(Packer *k) {
  vec_push(&k->cuts, k->bytes.len);
}

static void meet_instance(Packer *k, uint32_t instance) {
  assert(instance < k->state->instances.len);
  if (k->number.data[instance]) return;
  vec_push(&k->order, instance);
  k->number.data[instance] = k->order.len;
}

static void meet(Packer *k, AbsValue v) {
  if (abs_is_address(v)) meet_instance(k, abs_id(v));
  assert(abs_tag(v) != ABS_THREAD || abs_id(v) < IL_MAX_THREADS);
  if (abs_tag(v) == ABS_THREAD) k->met_thread[abs_id(v)] = 1;
}

static uint32_t first_cell(const State *s, uint32_t instance) {
  uint32_t low = 0, high = s->cells.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (s->cells.data[middle].instance < instance)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Some clean-up handler of the frame may read the register. */
static bool is_live_in_handler(const Facts *facts, const ThreadFrame *f, uint32_t r) {
  for (uint32_t i = 0; i < f->landing_count; i++) {
    NodeId at = program_edge(facts->program, f->landings[i])->to;
    if (live_set_has(liveness_at(facts->liveness, at), r)) return true;
  }
  return false;
}

/* Registers as they count: those that nobody reads any more are TOP. */
static void live_regs(Packer *k, Facts *facts) {
  const State *s = k->state;
  const Program *p = facts->program;
  vec_clear(&k->regs);
  for (uint32_t t = 0; t < s->thread_count; t++) {
    const AbsThread *thread = &s->threads[t];
    k->first_reg[t] = k->regs.len;
    for (uint32_t i = 0; i < thread->frames.len; i++) {
      const ThreadFrame *f = &thread->frames.data[i];
      const Function *function = vec_at(&p->functions, f->function);
      bool top = i + 1 == thread->frames.len;
      EdgeId call = top ? 0 : thread->frames.data[i + 1].call;
      const Edge *edge = call ? program_edge(p, call) : NULL;
      NodeId at = edge && edge->to ? edge->to : f->node;
      const uint64_t *live = liveness_at(facts->liveness, at);
      for (uint32_t r = 0; r < function->local_count; r++) {
        bool keeps =
            live_set_has(live, r) && !(edge && edge->dst == function->first_local + r);
        keeps = keeps || is_live_in_handler(facts, f, r);
        vec_push(&k->regs, keeps ? thread->regs.data[f->regs + r] : abs_top());
      }
    }
  }
}

/* Slots are only names, but for the first one, and the judge of deadlocks knows threads by
 * theirs. Elsewhere threads are sorted by where they are and what they hold, as far as
 * that has no names in it, so that it rarely matters which of several equal ones came
 * there first. */
static int by_contents(const void *x, const void *y, void *data) {
  const Packer *k = data;
  uint32_t sa = *(const uint32_t *)x, sb = *(const uint32_t *)y;
  const AbsThread *a = &k->state->threads[sa], *b = &k->state->threads[sb];
  if (a->status != b->status) return a->status - b->status;
  if (a->phase != b->phase) return a->phase - b->phase;
  if (a->crowd != b->crowd) return a->crowd < b->crowd ? -1 : 1;
  if (a->frames.len != b->frames.len) return a->frames.len < b->frames.len ? -1 : 1;
  for (uint32_t i = a->frames.len; i-- > 0;)
    if (a->frames.data[i].node != b->frames.data[i].node)
      return a->frames.data[i].node < b->frames.data[i].node ? -1 : 1;
  if (a->regs.len != b->regs.len) return a->regs.len < b->regs.len ? -1 : 1;
  for (uint32_t i = 0; i < a->regs.len; i++) {
    AbsValue v = k->regs.data[k->first_reg[sa] + i];
    AbsValue w = k->regs.data[k->first_reg[sb] + i];
    if (abs_tag(v) != abs_tag(w)) return abs_tag(v) < abs_tag(w) ? -1 : 1;
    if (v.num != w.num) return v.num < w.num ? -1 : 1;
  }
  return sa < sb ? -1 : 1;
}

static void rank_threads(Packer *k) {
  uint32_t count = k->state->thread_count;
  for (uint32_t t = 0; t < count; t++) k->ranked[t] = t;
  if (!k->joins && count > 2)
    qsort_r(k->ranked + 1, count - 1, sizeof *k->ranked, by_contents, k);
}

static bool is_owned(const State *s, const Instance *i) {
  return i->owner && !i->dead && s->threads[i->owner - 1].status == THREAD_LIVE;
}

static void walk(Packer *k, Facts *facts) {
  const State *s = k->state;
  vec_clear(&k->order);
  vec_clear(&k->number);
  (void)vec_extend(&k->number, s->instances.len + 1);
  memset(k->met_thread, 0, sizeof k->met_thread);
  for (uint32_t i = 0; i < facts->static_count; i++) meet_instance(k, i);
  for (uint32_t n = 0; n < s->thread_count; n++)
    for (uint32_t t = k->ranked[n], i = 0; i < s->threads[t].regs.len; i++)
      meet(k, k->regs.data[k->first_reg[t] + i]);
  for (uint32_t n = 0; n < s->thread_count; n++) meet(k, s->threads[k->ranked[n]].result);
  for (uint32_t n = 0; n < s->thread_count; n++)
    for (uint32_t i = facts->static_count; i < s->instances.len; i++)
      if (s->instances.data[i].owner == k->ranked[n] + 1 &&
          is_owned(s, &s->instances.data[i]))
        meet_instance(k, i);
  for (uint32_t t = 0; t < s->thread_count; t++)
    for (uint32_t i = 0; i < s->threads[t].frames.len; i++)
      if (s->threads[t].frames.data[i].kind == FRAME_ONCE)
        meet_instance(k, s->threads[t].frames.data[i].once_instance);
  if (s->lost) {
    for (uint32_t i = facts->static_count; i < s->instances.len; i++)
      if (!s->instances.data[i].dead) meet_instance(k, i);
    for (uint32_t i = 0; i < s->entries.len; i++)
      meet_instance(k, s->entries.data[i].instance);
  }
  for (uint32_t i = 0; i < k->order.len; i++) {
    uint32_t instance = k->order.data[i];
    for (uint32_t c = first_cell(s, instance);
         c < s->cells.len && s->cells.data[c].instance == instance; c++)
      meet(k, s->cells.data[c].value);
    for (uint32_t y = 0; y < s->syncs.len; y++)
      if (s->syncs.data[y].kind == SYNC_ATOMIC && s->syncs.data[y].instance == instance)
        meet(k, s->syncs.data[y].value);
  }
}

static bool holds_anything(const State *s, uint32_t thread) {
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].owner == thread + 1 || s->syncs.data[i].readers >> thread & 1)
      return true;
  return false;
}

static uint32_t number_threads(Packer *k) {
  const State *s = k->state;
  uint32_t count = 0;
  for (uint32_t n = 0; n < s->thread_count; n++) {
    uint32_t t = k->ranked[n];
    uint8_t status = s->threads[t].status;
    /* the first slot is the main thread's, whose return ends the program */
    bool kept = t == 0 || status == THREAD_LIVE || (status == THREAD_ENDED && k->joins) ||
                (status == THREAD_STOPPED && (k->joins || holds_anything(s, t))) ||
                (status != THREAD_FREE && k->met_thread[t]);
    k->new_thread[t] = kept ? (uint8_t)count++ : 0xff;
  }
  assert(count <= IL_MAX_THREADS);
  return count;
}

uint64_t packer_kept_threads(const Packer *k) {
  uint64_t kept = 0;
  for (uint32_t t = 0; t < k->state->thread_count; t++)
    if (k->new_thread[t] != 0xff) kept |= UINT64_C(1) << t;
  return kept;
}

uint32_t packer_new_slot(const Packer *k, uint32_t slot) {
  return k->new_thread[slot] == 0xff ? UINT32_MAX : k->new_thread[slot];
}

static uint64_t map_threads(const Packer *k, uint64_t set) {
  uint64_t mapped = 0;
  for (; set; set &= set - 1) {
    unsigned t = (unsigned)__builtin_ctzll(set);
    if (t < k->state->thread_count && k->new_thread[t] != 0xff)
      mapped |= UINT64_C(1) << k->new_thread[t];
  }
  return mapped;
}

static AbsValue map_value(const Packer *k, AbsValue v) {
  assert(!abs_is_address(v) || k->number.data[abs_id(v)]); /* it was met */
  if (abs_is_address(v))
    v.base = abs_base(abs_tag(v), k->number.data[abs_id(v)] - 1);
  else if (abs_tag(v) == ABS_THREAD)
    v.base = abs_base(ABS_THREAD, k->new_thread[abs_id(v)]);
  return v;
}

/* ---- synchronisation objects and entries ---- */

static bool is_idle(const Sync *y) {
  switch (y->kind) {
  case SYNC_LOCK: return !y->owner && !y->readers && !y->has_type;
  case SYNC_SEM:
  case SYNC_BARRIER: return false;
  case SYNC_ONCE: return !y->count && !y->owner;
  case SYNC_COND: return !y->readers;
  case SYNC_ATOMIC: return !y->rank; /* see has_newer */
  default: return true;
  }
}

static int by_place(const void *x, const void *y, void *data) {
  const Packer *k = data;
  const Sync *a = &k->state->syncs.data[*(const uint32_t *)x];
  const Sync *b = &k->state->syncs.data[*(const uint32_t *)y];
  uint32_t na = k->number.data[a->instance], nb = k->number.data[b->instance];
  if (na != nb) return na < nb ? -1 : 1;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int by_range(const void *x, const void *y) {
  const Entry *a = x, *b = y;
  int order =
      memcmp(&a->threads, &b->threads, offsetof(Entry, rank) - offsetof(Entry, threads));
  if (a->instance != b->instance) return a->instance < b->instance ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->kind == ACCESS_MESSAGE && a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (order) return order;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* Entries that still matter, those of neighbouring bytes with equal carriers as one. */
static void choose_entries(Packer *k) {
  const State *s = k->state;
  uint64_t live = state_live_threads(s);
  vec_clear(&k->entries);
  for (uint32_t i = 0; i < s->entries.len; i++) {
    Entry e = s->entries.data[i];
    bool settled = (e.threads & live) == live && e.kind != ACCESS_MARK;
    bool gone = !k->number.data[e.instance];
    if ((gone && (e.kind != ACCESS_MARK || !k->order.len)) || settled) continue;
    if (gone) e.from = MARK_GONE;
    if (gone) e.to = MARK_GONE + 1;
    e.instance = gone ? 0 : k->number.data[e.instance] - 1;
    e.threads = map_threads(k, e.threads);
    e.pending = map_threads(k, e.pending);
    e.fenced = map_threads(k, e.fenced);
    vec_push(&k->entries, e);
  }
}

static bool is_carrier(const Packer *k, uint32_t sync) {
  for (uint32_t i = 0; i < k->entries.len; i++)
    if (k->entries.data[i].syncs[sync / 64] >> (sync % 64) & 1) return true;
  return false;
}

/* A message that is not the only one of its location. */
static bool has_newer(const State *s, const Sync *y) {
  for (uint32_t i = 0; i < s->syncs.len && y->kind == SYNC_ATOMIC; i++) {
    const Sync *z = &s->syncs.data[i];
    if (z->kind == SYNC_ATOMIC && z->instance == y->instance && z->offset == y->offset &&
        z->rank > y->rank)
      return true;
  }
  return false;
}

static void order_syncs(Packer *k) {
  const State *s = k->state;
  vec_clear(&k->sync_order);
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    const Sync *y = &s->syncs.data[i];
    if (!k->number.data[y->instance]) continue;
    if (!is_idle(y) || is_carrier(k, i) || has_newer(s, y)) vec_push(&k->sync_order, i);
  }
  if (k->sync_order.len > 1)
    qsort_r(k->sync_order.data, k->sync_order.len, sizeof *k->sync_order.data, by_place,
            k);
  assert(k->sync_order.len <= IL_MAX_SYNCS);
  memset(k->new_sync, 0xff, sizeof k->new_sync);
  for (uint32_t i = 0; i < k->sync_order.len; i++) k->new_sync[k->sync_order.data[i]] = i;
}

static void finish_entries(Packer *k) {
  for (uint32_t i = 0; i < k->entries.len; i++) {
    Entry *e = &k->entries.data[i];
    uint64_t old[IL_SYNC_WORDS];
    memcpy(old, e->syncs, sizeof old);
    memset(e->syncs, 0, sizeof e->syncs);
    for (unsigned w = 0; w < IL_SYNC_WORDS; w++)
      for (; old[w]; old[w] &= old[w] - 1) {
        uint32_t sync = k->new_sync[w * 64 + (unsigned)__builtin_ctzll(old[w])];
        if (sync != UINT32_MAX) e->syncs[sync / 64] |= UINT64_C(1) << (sync % 64);
      }
  }
  if (k->entries.len > 1)
    qsort(k->entries.data, k->entries.len, sizeof *k->entries.data, by_range);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < k->entries.len; i++) {
    Entry *e = &k->entries.data[i], *last = kept ? &k->entries.data[kept - 1] : NULL;
    bool alike = last && last->instance == e->instance && last->kind == e->kind &&
                 !memcmp(&last->threads, &e->threads,
                         offsetof(Entry, rank) - offsetof(Entry, threads));
    if (alike && e->kind == ACCESS_MARK && e->from == last->from) {
      continue;
    } else if (alike && e->kind < ACCESS_MESSAGE && e->from <= last->to) {
      if (e->to > last->to) last->to = e->to;
    } else {
      k->entries.data[kept++] = *e;
    }
  }
  k->entries.len = kept;
}

/* ---- the bytes ---- */

typedef struct {
  uint32_t instances, cells, syncs, entries, threads, section_owner, lost, unused;
} Header;

typedef struct {
  uint8_t status, phase, detached, section;
  uint32_t created, frames, regs, crowd;
  uint8_t cancelled, ending, unused[2];
  AbsValue result;
} PackedThread;

typedef struct {
  uint32_t instance, from, to, kind;
  uint64_t threads;
  uint64_t syncs[IL_SYNC_WORDS];
  uint64_t pending, fenced;
  uint32_t rank, unused;
} PackedEntry;

static bool is_default(const Facts *facts, const State *s, const Cell *c) {
  const Instance *i = &s->instances.data[c->instance];
  if (i->contents == DEFAULT_TOP) return abs_is_top(c->value);
  if (!abs_is_number(c->value)) return false;
  if (i->contents == DEFAULT_ZERO) return c->value.num == 0;
  AbsValue initial = facts_initial(facts, i->object, c->offset, c->size);
  return abs_is_number(initial) && initial.num == c->value.num;
}

static uint32_t put_memory(Packer *k, const Facts *facts) {
  const State *s = k->state;
  uint32_t cells = 0;
  for (uint32_t n = 0; n < k->order.len; n++) {
    Instance i = s->instances.data[k->order.data[n]];
    if (i.owner)
      i.owner = k->new_thread[i.owner - 1] == 0xff
                    ? 0
                    : (uint8_t)(k->new_thread[i.owner - 1] + 1);
    put(k, &i, sizeof i);
  }
  cut(k);
  for (uint32_t n = 0; n < k->order.len; n++) {
    uint32_t old = k->order.data[n];
    if (s->instances.data[old].dead) continue;
    for (uint32_t c = first_cell(s, old);
         c < s->cells.len && s->cells.data[c].instance == old; c++) {
      Cell cell = s->cells.data[c];
      if (is_default(facts, s, &cell)) continue;
      cell.instance = n;
      cell.value = map_value(k, cell.value);
      put(k, &cell, sizeof cell);
      cells++;
    }
  }
  return cells;
}

static void put_threads(Packer *k) {
  const State *s = k->state;
  for (uint32_t n = 0; n < s->thread_count; n++) {
    uint32_t t = k->ranked[n];
    const AbsThread *thread = &s->threads[t];
    if (k->new_thread[t] == 0xff) continue;
    PackedThread head = {.status = thread->status,
                         .phase = thread->phase,
                         .detached = thread->detached,
                         .section = thread->section,
                         .cancelled = thread->cancelled,
                         .ending = thread->ending,
                         .created = thread->created,
                         .crowd = thread->crowd,
                         .frames = thread->frames.len,
                         .regs = thread->regs.len,
                         .result = map_value(k, thread->result)};
    put(k, &head, sizeof head);
    for (uint32_t i = 0; i < thread->frames.len; i++) {
      ThreadFrame f = thread->frames.data[i];
      if (f.kind == FRAME_ONCE) f.once_instance = k->number.data[f.once_instance] - 1;
      put(k, &f, sizeof f);
    }
    for (uint32_t i = 0; i < thread->regs.len; i++) {
      AbsValue v = map_value(k, k->regs.data[k->first_reg[t] + i]);
      put(k, &v, sizeof v);
    }
    cut(k);
  }
}

static void put_syncs(Packer *k) {
  for (uint32_t i = 0; i < k->sync_order.len; i++) {
    Sync y = k->state->syncs.data[k->sync_order.data[i]];
    y.instance = k->number.data[y.instance] - 1;
    if (y.owner && y.owner != OWNER_GONE) {
      uint8_t owner = k->new_thread[y.owner - 1];
      y.owner = owner == 0xff ? OWNER_GONE : (uint8_t)(owner + 1);
    }
    if (y.kind == SYNC_ATOMIC && y.owner == OWNER_GONE) y.owner = 0;
    y.readers = map_threads(k, y.readers);
    y.value = map_value(k, y.value);
    put(k, &y, sizeof y);
  }
}

Packed state_pack(Packer *k, const Facts *facts, const State *s) {
  k->state = s;
  live_regs(k, (Facts *)facts);
  rank_threads(k);
  walk(k, (Facts *)facts);
  Header head = {.threads = number_threads(k), .lost = s->lost};
  choose_entries(k);
  order_syncs(k);
  finish_entries(k);
  head.section_owner =
      s->section_owner ? k->new_thread[s->section_owner - 1] + UINT32_C(1) : 0;
  head.instances = k->order.len;
  head.syncs = k->sync_order.len;
  head.entries = k->entries.len;
  vec_clear(&k->bytes);
  vec_clear(&k->cuts);
  put(k, &head, sizeof head);
  cut(k);
  head.cells = put_memory(k, facts);
  memcpy(k->bytes.data, &head, sizeof head);
  cut(k);
  put_threads(k);
  put_syncs(k);
  cut(k);
  for (uint32_t i = 0; i < k->entries.len; i++) {
    const Entry *e = &k->entries.data[i];
    PackedEntry packed = {.instance = e->instance,
                          .from = e->from,
                          .to = e->to,
                          .kind = e->kind,
                          .threads = e->threads,
                          .pending = e->pending,
                          .fenced = e->fenced,
                          .rank = e->rank};
    memcpy(packed.syncs, e->syncs, sizeof packed.syncs);
    put(k, &packed, sizeof packed);
  }
  cut(k);
  uint32_t canonical = k->bytes.len;
  for (uint32_t i = 0; i < k->entries.len; i++)
    put(k, &k->entries.data[i].edge, sizeof(EdgeId));
  assert(canonical <= k->bytes.len && k->cuts.data[k->cuts.len - 1] == canonical);
  return (Packed){k->bytes.data, k->bytes.len, canonical, k->cuts.data, k->cuts.len};
}

/* ---- and back ---- */

static const uint8_t *get(const uint8_t *from, void *to, size_t n) {
  if (n) memcpy(to, from, n);
  return from + n;
}

#define GET_ALL(at, vec, n)                                                              \
  (vec_clear(vec), (void)((n) ? (void)vec_extend(vec, n) : (void)0),                     \
   get(at, (vec)->data, (n) * sizeof *(vec)->data))

void state_unpack(State *s, const uint8_t *at) {
  Header head;
  at = get(at, &head, sizeof head);
  assert(head.threads <= IL_MAX_THREADS && head.section_owner <= head.threads);
  s->lost = head.lost;
  s->section_owner = head.section_owner;
  s->thread_count = head.threads;
  at = GET_ALL(at, &s->instances, head.instances);
  at = GET_ALL(at, &s->cells, head.cells);
  for (uint32_t t = 0; t < IL_MAX_THREADS; t++) {
    AbsThread *thread = &s->threads[t];
    if (t >= head.threads) {
      thread->status = THREAD_FREE;
      continue;
    }
    PackedThread packed;
    at = get(at, &packed, sizeof packed);
    thread->status = packed.status;
    thread->phase = packed.phase;
    thread->detached = packed.detached;
    thread->section = packed.section;
    thread->cancelled = packed.cancelled;
    thread->ending = packed.ending;
    thread->created = packed.created;
    thread->crowd = packed.crowd;
    thread->result = packed.result;
    at = GET_ALL(at, &thread->frames, packed.frames);
    at = GET_ALL(at, &thread->regs, packed.regs);
  }
  at = GET_ALL(at, &s->syncs, head.syncs);
  vec_clear(&s->entries);
  for (uint32_t i = 0; i < head.entries; i++) {
    PackedEntry packed;
    at = get(at, &packed, sizeof packed);
    Entry e = {.instance = packed.instance,
               .from = packed.from,
               .to = packed.to,
               .kind = packed.kind,
               .threads = packed.threads,
               .pending = packed.pending,
               .fenced = packed.fenced,
               .rank = packed.rank};
    memcpy(e.syncs, packed.syncs, sizeof e.syncs);
    vec_push(&s->entries, e);
  }
  for (uint32_t i = 0; i < head.entries; i++)
    at = get(at, &s->entries.data[i].edge, sizeof(EdgeId));
}
