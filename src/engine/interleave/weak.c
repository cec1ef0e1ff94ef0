/* Atomics that are weaker than sequentially consistent: reads may find old values.
 *
 * Each atomic location has its messages, in modification order: a value, and as a carrier
 * (state.h) what its writer has released with it. That a message is in the past of a
 * thread is knowledge like that of any other access, in entries of the kind
 * ACCESS_MESSAGE: it travels with releases and acquires, and who knows of a message cannot
 * read an older one. So
 *  - a read takes any message that is not older than the newest one its thread knows, and
 *    knows it from then on; an acquiring read learns what the message carries, a relaxed
 *    one keeps that for its next acquire fence (Entry.pending);
 *  - a store goes behind any message that is not older than the newest known one, unless
 *    a read-modify-write stands there: that is glued to what it has read. It carries what
 *    its thread knows, or if it is relaxed what the thread knew at its last release fence
 *    (Entry.fenced);
 *  - a read-modify-write reads a message that nothing is glued to and stands behind it; it
 *    carries on what that one carries (the release sequence);
 *  - fences that are sequentially consistent have an order of their own: who executes one
 *    cannot read older messages than those that others wrote before theirs;
 *  - if no access of the program is relaxed, the sequentially consistent accesses have an
 *    order that agrees with happens-before: such a read finds nothing older than the last
 *    such write.
 * A message that every thread knows of makes the older ones unreadable; if it is the only
 * one and carries nothing, memory alone has the value.
 *
 * These are all executions of C11 in which happens-before and reads-from together have no
 * cycle. A cycle needs two locations, read and then followed by writes to other locations,
 * where reads do not synchronise with the writes that they read. Locations that could be
 * among those are counted over the whole search (note_lax): two of them, or one where
 * fences have their order, are given up. */
#include "engine/interleave/machine.h"

typedef struct {
  uint32_t instance, offset, size;
} Place;

static bool is_at(const Sync *y, Place at) {
  return y->kind == SYNC_ATOMIC && y->instance == at.instance && y->offset == at.offset;
}

static uint32_t count_messages(const State *s, Place at) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->syncs.len; i++) n += is_at(&s->syncs.data[i], at);
  return n;
}

static uint32_t message_at(const State *s, Place at, uint32_t rank) {
  uint32_t i = 0;
  while (!is_at(&s->syncs.data[i], at) || s->syncs.data[i].rank != rank) i++;
  return i;
}

static bool is_message_of(const Entry *e, Place at) {
  return e->kind == ACCESS_MESSAGE && e->instance == at.instance && e->from == at.offset;
}

/* The oldest message that the thread may still read. */
static uint32_t oldest_readable(const Machine *m, Place at, bool in_order) {
  const State *s = &m->s;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    if (is_message_of(e, at) && (e->threads >> m->t & 1) && e->rank > rank)
      rank = e->rank;
  }
  for (uint32_t i = 0; i < s->syncs.len && in_order; i++)
    if (is_at(&s->syncs.data[i], at) && s->syncs.data[i].in_order &&
        s->syncs.data[i].rank > rank)
      rank = s->syncs.data[i].rank;
  return rank;
}

static bool is_glued(const State *s, Place at, uint32_t rank) {
  return rank < count_messages(s, at) && s->syncs.data[message_at(s, at, rank)].glued;
}

/* ---- cycles ---- */

/* The thread writes here: reads of other locations that it knows of come before. */
static bool note_lax(Machine *m, Place at) {
  const State *s = &m->s;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    if (e->kind != ACCESS_MARK || !(e->threads >> m->t & 1)) continue;
    if (e->instance == at.instance && e->from == at.offset) continue;
    il_atomic_note(m, e->instance, e->from);
  }
  if (m->atomics.len < (m->facts->ordered_fences ? 1 : 2)) return true;
  il_give_up(m, "relaxed atomics might read values of the future");
  return false;
}

static void mark_read(Machine *m, Place at, bool acquires) {
  State *s = &m->s;
  if (m->options.settled && m->options.settled[m->edge]) return;
  if (acquires && !m->facts->relaxed_writes[s->instances.data[at.instance].object])
    return;
  uint64_t me = UINT64_C(1) << m->t;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    if (e->kind == ACCESS_MARK && e->instance == at.instance && e->from == at.offset &&
        (e->threads & me))
      return;
  }
  Entry mark = {.instance = at.instance,
                .from = at.offset,
                .to = at.offset + at.size,
                .kind = ACCESS_MARK,
                .threads = me,
                .edge = m->edge};
  vec_push(&s->entries, mark);
}

/* ---- messages ---- */

static int new_message(Machine *m, Place at, uint32_t rank, AbsValue value) {
  State *s = &m->s;
  if (s->syncs.len == IL_MAX_SYNCS) {
    il_give_up(m, "there are more than %d objects of synchronisation", IL_MAX_SYNCS);
    return -1;
  }
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (is_at(&s->syncs.data[i], at) && s->syncs.data[i].rank >= rank)
      s->syncs.data[i].rank++;
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (is_message_of(&s->entries.data[i], at) && s->entries.data[i].rank >= rank)
      s->entries.data[i].rank++;
  Sync y = {.instance = at.instance,
            .offset = at.offset,
            .kind = SYNC_ATOMIC,
            .size = at.size,
            .rank = rank,
            .value = value};
  vec_push(&s->syncs, y);
  return (int)s->syncs.len - 1;
}

static void learn_of(Machine *m, Place at, uint32_t rank) {
  State *s = &m->s;
  uint64_t me = UINT64_C(1) << m->t;
  if (!rank) return; /* everybody knows of the oldest */
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (is_message_of(&s->entries.data[i], at) && s->entries.data[i].rank == rank) {
      s->entries.data[i].threads |= me;
      return;
    }
  Entry e = {.instance = at.instance,
             .from = at.offset,
             .to = at.offset + at.size,
             .kind = ACCESS_MESSAGE,
             .rank = rank,
             .threads = me,
             .edge = m->edge};
  vec_push(&s->entries, e);
}

/* What the message carries goes to its reader, now or at its next acquire fence. */
static void take_carried(Machine *m, uint32_t sync, bool acquires) {
  for (uint32_t i = 0; i < m->s.entries.len; i++) {
    Entry *e = &m->s.entries.data[i];
    if (!(e->syncs[sync / 64] >> (sync % 64) & 1)) continue;
    *(acquires ? &e->threads : &e->pending) |= UINT64_C(1) << m->t;
  }
}

static void give_carried(Machine *m, uint32_t sync, bool releases) {
  for (uint32_t i = 0; i < m->s.entries.len; i++) {
    Entry *e = &m->s.entries.data[i];
    if ((releases ? e->threads : e->fenced) >> m->t & 1)
      e->syncs[sync / 64] |= UINT64_C(1) << (sync % 64);
  }
}

static AbsValue read_message(Machine *m, Place at, uint32_t rank, uint8_t order) {
  bool acquires = order_acquires(order);
  mark_read(m, at, acquires);
  if (!count_messages(&m->s, at))
    return il_memory_peek(m, at.instance, at.offset, at.size);
  uint32_t sync = message_at(&m->s, at, rank);
  learn_of(m, at, rank);
  take_carried(m, sync, acquires);
  return m->s.syncs.data[sync].value;
}

/* A new message behind the one of rank `behind`; from a read-modify-write of it if glued. */
static Outcome write_message(Machine *m, Place at, uint32_t behind, AbsValue value,
                             uint8_t order, bool glued) {
  State *s = &m->s;
  if (!note_lax(m, at)) return OUTCOME_GIVE_UP;
  if (!count_messages(s, at) &&
      new_message(m, at, 0, il_memory_peek(m, at.instance, at.offset, at.size)) < 0)
    return OUTCOME_GIVE_UP;
  uint32_t old = message_at(s, at, behind);
  int sync = new_message(m, at, behind + 1, value);
  if (sync < 0) return OUTCOME_GIVE_UP;
  Sync *y = &s->syncs.data[sync];
  y->glued = glued;
  y->in_order = order == ORDER_SEQ_CST && !m->facts->relaxed;
  y->owner = m->facts->ordered_fences ? (uint8_t)(m->t + 1) : 0;
  for (uint32_t i = 0; i < s->entries.len && glued; i++) {
    Entry *e = &s->entries.data[i];
    if (e->syncs[old / 64] >> (old % 64) & 1)
      e->syncs[sync / 64] |= UINT64_C(1) << (sync % 64);
  }
  learn_of(m, at, behind + 1);
  give_carried(m, (uint32_t)sync, order_releases(order));
  if (behind + 2 == count_messages(s, at)) il_memory_write(m, at.size, value);
  return OUTCOME_NEXT;
}

/* ---- the operations ---- */

typedef struct {
  uint32_t rank;
  bool stores;
} Way;

typedef VEC(Way) Ways;

static void find_ways(Machine *m, const Edge *e, Place at, Ways *ways) {
  const State *s = &m->s;
  uint32_t count = count_messages(s, at), last = count ? count - 1 : 0;
  AbsValue expected = e->op == OP_CMPXCHG ? il_eval(m, e->b) : abs_top();
  for (uint32_t rank = oldest_readable(m, at, false); rank <= last; rank++) {
    AbsValue old = count ? s->syncs.data[message_at(s, at, rank)].value
                         : il_memory_peek(m, at.instance, at.offset, at.size);
    int same = e->op == OP_CMPXCHG ? il_equal(m, old, expected) : 1;
    bool writes = e->op != OP_LOAD && same != 0 && !is_glued(s, at, rank + 1) &&
                  rank >= oldest_readable(m, at, e->order == ORDER_SEQ_CST);
    uint8_t order = e->op == OP_CMPXCHG ? e->order_fail : e->order;
    bool reads = e->op == OP_LOAD ||
                 (e->op == OP_CMPXCHG && (same != 1 || (e->flags & EDGE_WEAK)));
    reads = reads && rank >= oldest_readable(m, at, order == ORDER_SEQ_CST);
    if (writes) vec_push(ways, (Way){rank, true});
    if (reads) vec_push(ways, (Way){rank, false});
  }
}

static Outcome take_way(Machine *m, const Edge *e, Place at, Way way) {
  uint8_t order = e->op == OP_CMPXCHG && !way.stores ? e->order_fail : e->order;
  AbsValue value = e->op == OP_CMPXCHG ? il_eval(m, e->c)
                   : e->op == OP_LOAD  ? abs_top()
                                       : il_eval(m, e->b);
  Outcome out = il_memory_access(
      m, at.size, ACCESS_ATOMIC | (way.stores ? ACCESS_WRITE : ACCESS_READ));
  if (out != OUTCOME_NEXT) return out;
  AbsValue old = abs_top();
  if (e->op != OP_STORE) old = read_message(m, at, way.rank, order);
  if (e->op == OP_RMW) value = il_atomic_combine(m, e, old, value);
  if (way.stores) {
    out = write_message(m, at, way.rank, value, order, e->op != OP_STORE);
    if (out != OUTCOME_NEXT) return out;
  }
  if (e->op != OP_STORE) il_local_set(m, e->dst, old);
  if (e->op == OP_CMPXCHG) il_local_set(m, e->dst2, abs_number(way.stores));
  return OUTCOME_NEXT;
}

Outcome il_weak_step(Machine *m, const Edge *e, MemPlace place) {
  Place at = {place.instance, place.offset, e->size};
  for (uint32_t i = 0; i < m->s.syncs.len; i++) {
    const Sync *y = &m->s.syncs.data[i];
    if (y->kind == SYNC_ATOMIC && y->instance == at.instance &&
        (y->offset != at.offset || y->size != at.size) &&
        y->offset < at.offset + at.size && at.offset < y->offset + y->size)
      return il_give_up(m, "atomic accesses overlap in part");
  }
  Ways ways = {0};
  find_ways(m, e, at, &ways);
  int choice = ways.len ? machine_choose_freely(m, ways.len) : -1;
  Outcome out = !ways.len    ? OUTCOME_PRUNED
                : choice < 0 ? OUTCOME_PAUSE
                             : take_way(m, e, at, ways.data[choice]);
  vec_free(&ways);
  return out;
}

/* ---- fences ---- */

/* The order of the fences: messages whose writers have executed one are known to those who
 * execute one later. */
static bool exchange_order(Machine *m) {
  State *s = &m->s;
  int sync = il_sync_at(m, 0, 0, SYNC_FENCES);
  if (sync < 0) return false;
  uint64_t carrier = UINT64_C(1) << ((uint32_t)sync % 64);
  for (uint32_t i = 0; i < s->entries.len; i++) {
    Entry *e = &s->entries.data[i];
    uint64_t *word = &e->syncs[(uint32_t)sync / 64];
    if (e->kind != ACCESS_MESSAGE) continue;
    if (*word & carrier) e->threads |= UINT64_C(1) << m->t;
    for (uint32_t k = 0; k < s->syncs.len; k++) {
      const Sync *y = &s->syncs.data[k];
      if (y->kind == SYNC_ATOMIC && y->instance == e->instance && y->offset == e->from &&
          y->rank == e->rank && y->owner == m->t + 1)
        *word |= carrier;
    }
  }
  return true;
}

Outcome il_weak_fence(Machine *m, const Edge *e) {
  uint64_t me = UINT64_C(1) << m->t;
  for (uint32_t i = 0; i < m->s.entries.len && order_acquires(e->order); i++) {
    Entry *x = &m->s.entries.data[i];
    if (x->pending & me) x->threads |= me;
    x->pending &= ~me;
  }
  if (e->order == ORDER_SEQ_CST && !exchange_order(m)) return OUTCOME_GIVE_UP;
  for (uint32_t i = 0; i < m->s.entries.len && order_releases(e->order); i++)
    if (m->s.entries.data[i].threads & me) m->s.entries.data[i].fenced |= me;
  return OUTCOME_NEXT;
}

/* ---- what nobody can read any more ---- */

static void drop_message(State *s, uint32_t sync) {
  uint64_t carrier = UINT64_C(1) << (sync % 64);
  Sync gone = s->syncs.data[sync];
  Place at = {gone.instance, gone.offset, gone.size};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    Entry e = s->entries.data[i];
    e.syncs[sync / 64] &= ~carrier;
    if (is_message_of(&e, at) && e.rank == gone.rank) continue;
    if (is_message_of(&e, at) && e.rank > gone.rank) e.rank--;
    s->entries.data[kept++] = e;
  }
  s->entries.len = kept;
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (is_at(&s->syncs.data[i], at) && s->syncs.data[i].rank > gone.rank)
      s->syncs.data[i].rank--;
  s->syncs.data[sync].kind = SYNC_NONE; /* other slots keep their numbers */
}

static bool all_know_newer(const State *s, Place at, uint32_t rank, uint64_t live) {
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    if (is_message_of(e, at) && e->rank > rank && (e->threads & live) == live)
      return true;
  }
  return false;
}

static bool carry_alike(const State *s, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const uint64_t *syncs = s->entries.data[i].syncs;
    if ((syncs[a / 64] >> (a % 64) & 1) != (syncs[b / 64] >> (b % 64) & 1)) return false;
  }
  return true;
}

enum {
  MANY_MESSAGES = 4
}; /* of one location: then some of what they carry is forgotten */

/* A read-modify-write that changes nothing, as in the loop of a spin lock: its message is
 * the one that it has read, if it carries no more. Where there are many, what it carries
 * more is forgotten: that orders less. Returns true if something changed. */
static bool unite_messages(State *s, uint32_t sync) {
  Sync y = s->syncs.data[sync];
  Place at = {y.instance, y.offset, y.size};
  if (y.kind != SYNC_ATOMIC || !y.glued || !y.rank) return false;
  uint32_t before = message_at(s, at, y.rank - 1);
  const Sync *x = &s->syncs.data[before];
  if (!abs_equal(x->value, y.value) || x->in_order != y.in_order || x->owner != y.owner ||
      (!carry_alike(s, sync, before) && count_messages(s, at) <= MANY_MESSAGES))
    return false;
  const Entry *known = NULL;
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (is_message_of(&s->entries.data[i], at) && s->entries.data[i].rank == y.rank)
      known = &s->entries.data[i];
  for (uint32_t i = 0; i < s->entries.len && known; i++) {
    Entry *e = &s->entries.data[i];
    if (!is_message_of(e, at) || e->rank != x->rank) continue;
    e->threads |= known->threads;
    e->pending |= known->pending;
    e->fenced |= known->fenced;
    for (unsigned w = 0; w < IL_SYNC_WORDS; w++) e->syncs[w] |= known->syncs[w];
  }
  drop_message(s, sync);
  return true;
}

void il_weak_tidy(State *s) {
  uint64_t live = state_live_threads(s);
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (unite_messages(s, i)) i = UINT32_MAX; /* ranks have changed */
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    const Sync *y = &s->syncs.data[i];
    Place at = {y->instance, y->offset, y->size};
    if (y->kind != SYNC_ATOMIC || y->rank || !all_know_newer(s, at, 0, live)) continue;
    drop_message(s, i);
    i = UINT32_MAX; /* the next one is the oldest now, wherever it stands */
  }
  for (uint32_t i = 0; i < s->syncs.len; i++) /* nothing stands before the oldest */
    if (s->syncs.data[i].kind == SYNC_ATOMIC && !s->syncs.data[i].rank)
      s->syncs.data[i].glued = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (s->entries.data[i].kind != ACCESS_MESSAGE || s->entries.data[i].rank)
      s->entries.data[kept++] = s->entries.data[i];
  s->entries.len = kept;
}

void il_weak_overwritten(State *s, uint32_t instance, uint64_t from, uint64_t to) {
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    const Sync *y = &s->syncs.data[i];
    if (y->kind == SYNC_ATOMIC && y->instance == instance && y->offset < to &&
        from < (uint64_t)y->offset + y->size)
      drop_message(s, i);
  }
}
