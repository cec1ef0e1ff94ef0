/* Warnings: what is suspected of an obligation that stayed open, as findings. */
#include "engine/tell.h"

#include "base/str.h"
#include "engine/advise.h"
#include "engine/names.h"

#include <assert.h>

typedef struct {
  const Ladder *ladder;
  const Flow *flow;
  Arena *arena;
} Warner;

static const char *kind_text(uint32_t kind) {
  if (kind & FLOW_FREE) return "free";
  if (kind & FLOW_ATOMIC) return kind & FLOW_WRITE ? "atomic write" : "atomic read";
  return kind & FLOW_WRITE ? "write" : "read";
}

static const char *const *lock_names(const Warner *w, uint32_t first, uint32_t count) {
  const char **locks = arena_alloc(w->arena, (count + 1) * sizeof *locks);
  for (uint32_t i = 0; i < count; i++)
    locks[i] = name_of_lock(w->flow, &w->flow->locks.data[first + i], w->arena);
  return locks;
}

static FoundAccess found_access(const Warner *w, const FlowAccess *a,
                                const char *suffix) {
  return (FoundAccess){
      .thread = arena_printf(w->arena, "%s%s",
                             name_of_thread(w->flow, a->thread, w->arena), suffix),
      .kind = kind_text(a->kind),
      .place = place_of_edge(w->flow->program, a->edge),
      .locks = lock_names(w, a->first_lock, a->lock_count),
      .lock_count = a->lock_count};
}

static Finding warn_of_race(const Warner *w, const Suspicion *s, const char *name,
                            SourcePlace declared) {
  assert(s->count == 2);
  const FlowAccess *a = &w->flow->accesses.data[s->records[0]];
  const FlowAccess *b = &w->flow->accesses.data[s->records[1]];
  bool same = a->thread == b->thread;
  FoundAccess *accesses = arena_alloc(w->arena, 2 * sizeof *accesses);
  accesses[0] = found_access(w, a, same ? "#1" : "");
  accesses[1] = found_access(w, b, same ? "#2" : "");
  const EdgeId edges[] = {a->edge, b->edge};
  const char *fix = advise_handler(w->flow, edges, name, w->arena);
  const char *why = a->lock_count || b->lock_count ? "no common lock" : "no lock is held";
  return (Finding){.property = PROPERTY_RACE,
                   .engine = "lockset",
                   .name = name,
                   .declared = declared,
                   .accesses = accesses,
                   .access_count = 2,
                   .why = arena_printf(w->arena, "%s, and nothing orders %s and %s", why,
                                       accesses[0].thread, accesses[1].thread),
                   .fix = fix ? fix : advise_race(accesses, name, w->arena),
                   .rank = s->rank,
                   .accepted = s->accepted};
}

static FoundAccess found_wait(const Warner *w, const Suspicion *s, uint32_t i) {
  const FlowAcquire *x = &w->flow->acquires.data[s->records[i]];
  const char *thread = name_of_thread(w->flow, x->thread, w->arena);
  bool several = false;
  for (uint32_t k = 0; k < s->count; k++)
    several =
        several || (k != i && w->flow->acquires.data[s->records[k]].thread == x->thread);
  bool alone = s->count == 1;
  return (FoundAccess){
      .thread = several ? arena_printf(w->arena, "%s#%u", thread, i + 1) : thread,
      .kind = "lock",
      .place = place_of_edge(w->flow->program, x->edge),
      .object = name_of_lock(w->flow, &x->lock, w->arena),
      .locks = alone ? NULL : lock_names(w, x->first_lock, x->lock_count),
      .lock_count = alone ? 0 : x->lock_count};
}

static Finding warn_of_circle(const Warner *w, const Suspicion *s) {
  assert(s->count);
  FoundAccess *accesses = arena_alloc_zero(w->arena, s->count * sizeof *accesses);
  Str name = {0};
  for (uint32_t i = 0; i < s->count; i++) {
    accesses[i] = found_wait(w, s, i);
    str_addf(&name, "%s%s", i ? ", " : "", accesses[i].object);
  }
  bool alone = s->count == 1;
  Finding f = {.property = PROPERTY_DEADLOCK,
               .engine = "lockset",
               .name = arena_strdup(w->arena, str_text(&name)),
               .accesses = accesses,
               .access_count = s->count,
               .why = alone ? "the thread already holds this lock"
                            : "each thread holds a lock that the next one waits for",
               .fix = alone ? "unlock it first, or make it recursive"
                            : "take these locks in the same order everywhere"};
  str_free(&name);
  return f;
}

/* ---- is it told already? ---- */

static bool has_access(const Finding *f, const SourcePlace *place) {
  for (uint32_t i = 0; i < f->access_count; i++)
    if (place_same(&f->accesses[i].place, place)) return true;
  return false;
}

/* Both are about one thing: declared in the same place or, if the library owns it, of one name. */
static bool same_thing(const Finding *f, const Finding *g) {
  if (!place_is_known(&f->declared) && !place_is_known(&g->declared))
    return str_eq(f->name, g->name);
  return place_same(&f->declared, &g->declared);
}

/* An error that was shown is the same: it has all of the warning's places. */
static bool is_shown(const Ladder *l, const Finding *warning) {
  for (uint32_t i = 0; i < l->shown.len; i++) {
    const Finding *f = &l->shown.data[i].finding;
    bool same = f->property == warning->property && f->accepted == warning->accepted;
    for (uint32_t k = 0; k < warning->access_count && same; k++)
      same = has_access(f, &warning->accesses[k].place);
    if (same && (f->property != PROPERTY_RACE || same_thing(f, warning))) return true;
  }
  return false;
}

void tell_warnings(const Ladder *l, const Obligation *o, CheckResult *result,
                   const char *name, SourcePlace declared) {
  Warner w = {l, l->analyses->flow, result->arena};
  if (l->engines[0]->tier != TIER_FACTS) return; /* nobody who was asked suspects it */
  for (uint32_t i = 0; i < o->suspicion_count; i++) {
    const Suspicion *s = &o->suspicions[i];
    bool race = o->kind == OBLIGATION_LOCATION;
    if (o->verdict == VERDICT_SAFE && !s->accepted) continue;
    Finding f = race ? warn_of_race(&w, s, name, declared) : warn_of_circle(&w, s);
    if (is_shown(l, &f)) continue;
    vec_push(&result->findings, f);
    result->accepted_count += s->accepted;
  }
}

/* Every access of the location once for each thread, for --explain. */
void tell_accesses(const Ladder *l, const Obligation *o, Location *location,
                   Arena *arena) {
  Warner w = {l, l->analyses->flow, arena};
  Map seen = {0}; /* edge << 32 | thread */
  FoundAccess *list = arena_alloc(arena, (o->member_count + 1) * sizeof *list);
  for (uint32_t i = 0; i < o->member_count; i++) {
    uint32_t member = l->obligations->members.data[o->first_member + i];
    const FlowAccess *a = &w.flow->accesses.data[member];
    uint64_t *slot = map_at(&seen, (uint64_t)a->edge << 32 | a->thread);
    if (!*slot) list[location->access_count++] = found_access(&w, a, "");
    *slot = 1;
  }
  assert(location->access_count <= o->member_count);
  location->accesses = list;
  map_free(&seen);
}
