/* Happens-before as knowledge: see state.h.
 *
 * An access of thread t races with an entry that overlaps it, conflicts, and is not known
 * to t. An entry may be left out when another one is found by every access that would
 * find it:
 *  - a new access takes the place of those that t knows, that lie inside of it and that
 *    conflict with no more: whoever knows the new one knows the old ones too;
 *  - a new access is not worth an entry if t alone carries one that covers it. */
#include "engine/interleave/machine.h"

#include <assert.h>

static uint64_t bit(uint32_t thread) {
  assert(thread < IL_MAX_THREADS);
  return UINT64_C(1) << thread;
}

/* Everything that conflicts with `b` conflicts with `a`. */
static bool covers(uint32_t a, uint32_t b) {
  uint32_t exempt_a = a & (ACCESS_ATOMIC | ACCESS_SYNCED);
  uint32_t exempt_b = b & (ACCESS_ATOMIC | ACCESS_SYNCED);
  return (a & ACCESS_WRITE) >= (b & ACCESS_WRITE) && (exempt_a & ~exempt_b) == 0;
}

static bool conflict(uint32_t a, uint32_t b) {
  return ((a | b) & ACCESS_WRITE) && !(a & b & (ACCESS_ATOMIC | ACCESS_SYNCED));
}

/* Nobody else knows of it or is about to: neither through a carrier nor by a fence, behind
 * which a new access of the same kind is another matter. */
static bool is_only_mine(const Entry *e, uint64_t me) {
  uint64_t others = e->fenced | e->pending;
  for (unsigned i = 0; i < IL_SYNC_WORDS; i++) others |= e->syncs[i];
  return e->threads == me && !others;
}

Outcome il_happens_access(Machine *m, uint32_t instance, uint32_t from, uint32_t to,
                          uint32_t kind) {
  State *s = &m->s;
  assert(instance < s->instances.len);
  if (!m->facts->watched[s->instances.data[instance].object]) return OUTCOME_NEXT;
  uint64_t me = bit(m->t);
  bool covered = state_live_threads(s) == me;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    if (e->instance != instance || e->from >= to || from >= e->to) continue;
    if (e->kind >= ACCESS_MESSAGE) continue;
    if (!(e->threads & me) && conflict(e->kind, kind)) {
      m->race_edges[0] = e->edge;
      m->race_edges[1] = m->edge;
      m->race_object = s->instances.data[instance].object;
      return OUTCOME_RACE;
    }
    covered = covered || (is_only_mine(e, me) && e->from <= from && to <= e->to &&
                          covers(e->kind, kind));
  }
  if (covered) return OUTCOME_NEXT;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Entry *e = &s->entries.data[i];
    bool replaced = e->instance == instance && e->kind < ACCESS_MESSAGE &&
                    from <= e->from && e->to <= to && (e->threads & me) &&
                    covers(kind, e->kind);
    if (!replaced) s->entries.data[kept++] = *e;
  }
  s->entries.len = kept;
  Entry entry = {.instance = instance,
                 .from = from,
                 .to = to,
                 .kind = kind,
                 .threads = me,
                 .edge = m->mark ? m->mark : m->edge};
  vec_push(&s->entries, entry);
  return OUTCOME_NEXT;
}

void il_happens_release(State *s, uint32_t thread, uint32_t sync, bool merge) {
  assert(sync < IL_MAX_SYNCS);
  for (uint32_t i = 0; i < s->entries.len; i++) {
    Entry *e = &s->entries.data[i];
    uint64_t *word = &e->syncs[sync / 64], carrier = UINT64_C(1) << (sync % 64);
    if (e->threads & bit(thread))
      *word |= carrier;
    else if (!merge)
      *word &= ~carrier;
  }
}

void il_happens_clear(State *s, uint32_t sync) {
  assert(sync < IL_MAX_SYNCS);
  for (uint32_t i = 0; i < s->entries.len; i++)
    s->entries.data[i].syncs[sync / 64] &= ~(UINT64_C(1) << (sync % 64));
}

void il_happens_acquire(State *s, uint32_t thread, uint32_t sync) {
  assert(sync < IL_MAX_SYNCS);
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (s->entries.data[i].syncs[sync / 64] >> (sync % 64) & 1)
      s->entries.data[i].threads |= bit(thread);
}

void il_happens_tell(State *s, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (s->entries.data[i].threads & bit(from)) s->entries.data[i].threads |= bit(to);
}

void il_happens_forget_thread(State *s, uint32_t thread) {
  for (uint32_t i = 0; i < s->entries.len; i++)
    s->entries.data[i].threads &= ~bit(thread);
  for (uint32_t i = 0; i < s->entries.len; i++) {
    s->entries.data[i].pending &= ~bit(thread);
    s->entries.data[i].fenced &= ~bit(thread);
  }
}
