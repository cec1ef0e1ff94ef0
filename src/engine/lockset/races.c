/* Algorithm 1 of the layered approach, on flow's records: for every shared location, what is
 * common to all accesses; and for every pair of accesses that may race, that nothing is.
 *
 * A location is an obligation (engine/collect.h). Accesses that agree in everything but their
 * place are one class; classes are compared, not accesses, so the cost of a much used location
 * grows with its kinds of use. */
#include "engine/lockset/lockset.h"

#include "base/map.h"
#include "analysis/pair.h"
#include "engine/names.h"

#include <assert.h>

typedef VEC(Suspicion) SuspicionVec;

typedef struct {
  EngineContext *context;
  const Flow *flow;
  const uint32_t *elsewhere; /* the obligation for memory without a location */
  SuspicionVec suspicions;   /* of the location at hand */
  Map warned; /* pairs of edges, smaller << 32 | larger, with a suspicion about an object that
                 has no name of its own: one is enough for all objects they may meet in */
} Races;

/* ---- one location ---- */

typedef struct {
  const uint32_t *members; /* indices of accesses */
  uint32_t count;
  VEC(uint32_t) classes; /* the first member of each class */
  uint32_t *class_of;    /* by member */
  bool parallel, any_write;
  uint32_t reasons[PAIR_GUARDED + 1];
  Map accepted;          /* pairs of edges, smaller << 32 | larger */
  bool accepted_by_name; /* a rules file accepts all races here */
} Place;

static bool is_accepted(const Races *e, const FlowAccess *a) {
  return map_get(e->context->accepted, a->edge) != NULL;
}

/* Everything but where the access stands (and whether the user accepts it there). */
static bool same_class(const Races *e, const FlowAccess *a, const FlowAccess *b) {
  return is_accepted(e, a) == is_accepted(e, b) && a->before == b->before &&
         a->thread == b->thread && a->kind == b->kind && a->size == b->size &&
         a->offset == b->offset && a->exact == b->exact && a->fresh == b->fresh &&
         a->own == b->own && a->alive == b->alive && a->once_done == b->once_done &&
         a->once_inside == b->once_inside && a->lock_count == b->lock_count &&
         a->first_lock == b->first_lock &&
         !memcmp(&a->address, &b->address, sizeof a->address);
}

static uint64_t mix(uint64_t hash, uint64_t x) {
  return (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Of all that same_class compares, so that a location with very many accesses has no more classes than
 * it has kinds of use. */
static uint64_t class_hash(const FlowAccess *a) {
  uint64_t h = mix(a->thread, a->kind);
  h = mix(mix(h, a->size), mix(a->offset, a->alive));
  h = mix(mix(h, a->first_lock), mix(a->once_done, a->once_inside));
  h = mix(mix(h, a->address.base), mix(a->address.index, (uint64_t)a->address.stride));
  return mix(h, (uint64_t)a->address.offset);
}

static void classify(Races *e, Place *place) {
  const FlowAccess *all = e->flow->accesses.data;
  Map index = {0}; /* hash of a class to its number + 1 */
  place->class_of = mem_alloc(place->count * sizeof *place->class_of);
  for (uint32_t i = 0; i < place->count; i++) {
    const FlowAccess *a = &all[place->members[i]];
    for (uint64_t key = class_hash(a);; key = key * 31 + 7) {
      uint64_t *slot = map_at(&index, key);
      if (!*slot) {
        vec_push(&place->classes, i);
        *slot = place->classes.len;
      }
      place->class_of[i] = (uint32_t)*slot - 1;
      if (same_class(e, a, &all[place->members[place->classes.data[*slot - 1]]])) break;
    }
  }
  map_free(&index);
}

/* A suspicion of two accesses, the writing one first; how likely it is an error is its rank. */
static void suspect(Races *e, uint32_t x, uint32_t y, bool accepted) {
  const FlowAccess *a = &e->flow->accesses.data[x], *b = &e->flow->accesses.data[y];
  if ((b->kind & FLOW_WRITE) && !(a->kind & FLOW_WRITE)) {
    suspect(e, y, x, accepted);
    return;
  }
  Suspicion new = {.count = 2,
                   .accepted = accepted,
                   .rank = ((a->kind | b->kind) & FLOW_UNSURE ? 4u : 0u) +
                           (a->exact && b->exact ? 0u : 1u) +
                           ((b->kind & FLOW_WRITE) ? 0u : 1u)};
  new.records = arena_dup(e->context->arena, (uint32_t[]){x, y}, 2 * sizeof x);
  vec_push(&e->suspicions, new);
}

/* The pair races, and the user said that it may: it is told in numbers, and decides nothing
 * about the pairs that were not accepted. */
static void accept_pair(Races *e, Place *place, uint32_t x, uint32_t y) {
  const FlowAccess *all = e->flow->accesses.data;
  EdgeId a = all[x].edge < all[y].edge ? all[x].edge : all[y].edge;
  EdgeId b = all[x].edge < all[y].edge ? all[y].edge : all[x].edge;
  uint64_t *slot = map_at(&place->accepted, (uint64_t)a << 32 | b);
  if (!*slot) suspect(e, x, y, true);
  *slot = 1;
}

/* The pair has its warning already, about another object of the same kind. */
static bool was_warned_of(Races *e, const FlowAccess *a, const FlowAccess *b) {
  const Object *o =
      &e->flow->program->objects.data[pointsto_object(e->flow->pointsto, a->object)];
  if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_LIBRARY) return false;
  uint64_t low = a->edge < b->edge ? a->edge : b->edge;
  uint64_t high = a->edge < b->edge ? b->edge : a->edge;
  uint64_t *slot = map_at(&e->warned, low << 32 | high);
  bool known = *slot;
  *slot = 1;
  return known;
}

/* Classes of the same circumstances: what those decide is decided for all of them at once, so
 * that the many uses of a big heap cost no more than their kinds. */
typedef struct {
  VEC(uint32_t) classes;
} Group;

typedef struct {
  VEC(Group) groups;
  uint32_t *group_of; /* by class */
  uint8_t
      *reasons; /* by two groups: PairReason + 1, 0 when not yet decided; NULL when there
                         are too many groups */
} Grouping;

static const FlowAccess *class_access(const Races *e, const Place *place, uint32_t c) {
  return &e->flow->accesses.data[place->members[place->classes.data[c]]];
}

static void grouping_make(const Races *e, const Place *place, Grouping *g) {
  Map index = {0}; /* hash of circumstances to the first group with it + 1 */
  g->group_of = mem_alloc((place->classes.len + 1) * sizeof *g->group_of);
  for (uint32_t c = 0; c < place->classes.len; c++) {
    const FlowAccess *a = class_access(e, place, c);
    uint64_t key = ((uint64_t)a->first_lock << 40) ^ ((uint64_t)a->alive << 24) ^
                   ((uint64_t)a->thread << 12) ^ a->kind ^ ((uint64_t)a->once_done << 50);
    for (;; key = key * 31 + 7) {
      uint64_t *slot = map_at(&index, key);
      if (!*slot) {
        (void)vec_extend(&g->groups, 1);
        *vec_last(&g->groups) = (Group){0};
        *slot = g->groups.len;
      } else if (!pair_same_circumstances(
                     a,
                     class_access(e, place, g->groups.data[*slot - 1].classes.data[0]))) {
        continue;
      }
      vec_push(&g->groups.data[*slot - 1].classes, c);
      g->group_of[c] = (uint32_t)*slot - 1;
      break;
    }
  }
  map_free(&index);
  enum { MAX_GROUPS = 8192 };
  if (g->groups.len <= MAX_GROUPS)
    g->reasons = mem_alloc_zero((size_t)g->groups.len * g->groups.len);
}

static PairReason reason_between(const Races *e, const Place *place, const Grouping *g,
                                 uint32_t x, uint32_t y) {
  assert(x < g->groups.len && y < g->groups.len);
  uint8_t *cell = g->reasons ? &g->reasons[(size_t)x * g->groups.len + y] : NULL;
  if (cell && *cell) return (PairReason)(*cell - 1);
  PairReason reason = pair_decide_anywhere(
      e->flow, class_access(e, place, g->groups.data[x].classes.data[0]),
      class_access(e, place, g->groups.data[y].classes.data[0]));
  if (cell) *cell = (uint8_t)(reason + 1);
  return reason;
}

static void grouping_free(Grouping *g) {
  mem_free(g->reasons);
  for (uint32_t i = 0; i < g->groups.len; i++) vec_free(&g->groups.data[i].classes);
  vec_free(&g->groups);
  mem_free(g->group_of);
}

/* One member of a place against everything there. */
typedef struct {
  Races *e;
  Place *place;
  Map *covered;    /* edges that some warning shows */
  uint32_t member; /* index of the access */
  uint32_t class;
  bool first;  /* it stands for its class */
  bool counts; /* accepted pairs are to be counted */
  bool done;
  /* What was found out about a class: CLASS_CLEAN, or a class it races with, or nothing yet.
   * It holds for all of its members. */
  uint32_t *rival_of;
} Comparison;

enum { CLASS_UNKNOWN = UINT32_MAX, CLASS_CLEAN = UINT32_MAX - 1 };

static void compare_class(Comparison *m, uint32_t c) {
  Races *e = m->e;
  const FlowAccess *all = e->flow->accesses.data, *x = &all[m->member];
  uint32_t partner =
      m->class == c ? m->member : m->place->members[m->place->classes.data[c]];
  PairReason reason = pair_decide(e->flow, x, &all[partner]);
  if (reason == PAIR_RACES && (m->place->accepted_by_name || is_accepted(e, x) ||
                               is_accepted(e, &all[partner]))) {
    accept_pair(e, m->place, m->member, partner);
    return;
  }
  assert(reason <= PAIR_GUARDED);
  if (m->first) m->place->reasons[reason]++;
  if (reason != PAIR_RACES) return;
  m->rival_of[m->class] = c;
  bool news = !map_get(m->covered, x->edge) || !map_get(m->covered, all[partner].edge);
  map_put(m->covered, x->edge, 1);
  map_put(m->covered, all[partner].edge, 1);
  if (news && !was_warned_of(e, x, &all[partner])) suspect(e, m->member, partner, false);
  m->done = !m->first || !m->counts;
}

/* Once a warning shows a member, it needs no more, unless it stands for its class and the place
 * may still turn out to be safe, or accepted pairs are to be counted. */
static void compare_member(Comparison *m, const Grouping *g, uint32_t i) {
  Place *place = m->place;
  const FlowAccess *all = m->e->flow->accesses.data;
  m->member = place->members[i];
  m->class = place->class_of[i];
  assert(m->class < place->classes.len && place->classes.data[m->class] <= i);
  m->first = place->classes.data[m->class] == i;
  bool open = place->reasons[PAIR_RACES] && !m->counts;
  m->done = (!m->first || open) && map_get(m->covered, all[m->member].edge);
  uint32_t rival = m->rival_of[m->class];
  if (m->done || rival == CLASS_CLEAN) return;
  if (rival != CLASS_UNKNOWN && !m->counts) {
    compare_class(m, rival);
    return;
  }
  for (uint32_t k = 0; k < g->groups.len && !m->done; k++) {
    const Group *group = &g->groups.data[k];
    PairReason reason = reason_between(m->e, place, g, g->group_of[m->class], k);
    if (reason != PAIR_RACES) {
      place->reasons[reason] += m->first;
      continue;
    }
    for (uint32_t c = 0; c < group->classes.len && !m->done; c++)
      compare_class(m, group->classes.data[c]);
  }
  if (m->rival_of[m->class] == CLASS_UNKNOWN && !m->counts)
    m->rival_of[m->class] = CLASS_CLEAN;
}

/* Compares all classes; every access that takes part in a race gets into a warning. */
static void compare_classes(Races *e, Place *place) {
  Map covered = {0};
  Grouping grouping = {0};
  grouping_make(e, place, &grouping);
  Comparison m = {.e = e, .place = place, .covered = &covered};
  m.counts = e->context->accepted->len || place->accepted_by_name;
  m.rival_of = mem_alloc((place->classes.len + 1) * sizeof *m.rival_of);
  for (uint32_t c = 0; c < place->classes.len; c++) m.rival_of[c] = CLASS_UNKNOWN;
  for (uint32_t i = 0; i < place->count && !flow_stopped(e->flow); i++)
    compare_member(&m, &grouping, i);
  mem_free(m.rival_of);
  grouping_free(&grouping);
  map_free(&covered);
}

/* Every access of the location holds the lock, or nobody else can be there. */
static bool is_held_everywhere(const Races *e, const Place *place, const FlowLock *lock) {
  const Flow *flow = e->flow;
  if (flow_lock_is_loose(flow, lock)) return false;
  for (uint32_t i = 0; i < place->classes.len; i++) {
    const FlowAccess *a = class_access(e, place, i);
    bool alone = a->alive == 0 && !flow->threads.data[a->thread].site;
    bool held = alone || a->fresh;
    for (uint32_t m = 0; m < a->lock_count && !held; m++) {
      const FlowLock *other = &flow->locks.data[a->first_lock + m];
      held = other->kind == lock->kind &&
             (other->unique && lock->unique ? other->name.base == lock->name.base &&
                                                  other->name.offset == lock->name.offset
                                            : other->shown == lock->shown);
    }
    if (!held) return false;
  }
  return true;
}

static void name_guards(Races *e, const Place *place, Claim *claim) {
  Arena *arena = e->context->arena;
  const FlowAccess *first = NULL;
  VEC(const char *) guards = {0};
  for (uint32_t i = 0; i < place->classes.len && !first; i++) {
    const FlowAccess *a = class_access(e, place, i);
    if (a->lock_count) first = a;
  }
  for (uint32_t k = 0; first && k < first->lock_count; k++) {
    const FlowLock *lock = &e->flow->locks.data[first->first_lock + k];
    if (is_held_everywhere(e, place, lock))
      vec_push(&guards, name_of_lock(e->flow, lock, arena));
  }
  claim->guard_count = guards.len;
  claim->guards = arena_dup(arena, guards.data, guards.len * sizeof *guards.data);
  vec_free(&guards);
}

static Reason reason_of(const Place *place) {
  if (place->reasons[PAIR_RACES]) return REASON_UNDECIDED;
  if (place->accepted.len) return REASON_ACCEPTED;
  if (!place->any_write) return REASON_READ_ONLY;
  if (place->reasons[PAIR_GUARDED]) return REASON_GUARDED;
  if (place->reasons[PAIR_OWN]) return REASON_THREAD_LOCAL;
  if (place->reasons[PAIR_ATOMIC]) return REASON_ATOMIC;
  return place->parallel ? REASON_ORDERED : REASON_SINGLE_THREADED;
}

/* Handlers come last: a warning tells of two threads rather than of one that a signal
 * interrupts. */
static uint32_t *handlers_last(const Flow *flow, const uint32_t *members,
                               uint32_t count) {
  uint32_t *sorted = mem_alloc(count * sizeof *sorted), n = 0;
  for (int apart = 0; apart < 2; apart++)
    for (uint32_t i = 0; i < count; i++)
      if (flow_stands_apart(flow, flow->accesses.data[members[i]].thread) == (apart == 1))
        sorted[n++] = members[i];
  return sorted;
}

/* What a stream was given as its buffer is written whenever the stream is used, what was put
 * into the environment is read whenever anyone asks for a variable. Returns an access that the
 * library may meet there, or 0. */
static EdgeId meets_library(const Flow *flow, const uint32_t *members, uint32_t count) {
  uint32_t later = 0;
  for (uint32_t i = 0; i < count; i++)
    if (flow->accesses.data[members[i]].kind & FLOW_LATER)
      later |= flow->accesses.data[members[i]].kind;
  for (uint32_t i = 0; i < count && later; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    bool alone = !a->alive && !flow->threads.data[a->thread].site;
    if ((alone && !(later & FLOW_BESIDE)) || (a->kind & (FLOW_SYNCED | FLOW_LATER)) ||
        !((a->kind | later) & FLOW_WRITE))
      continue;
    return a->edge;
  }
  return 0;
}

static void tell_limit(Races *e, EdgeId at, const char *why) {
  const Program *p = e->flow->program;
  const Loc *loc = &p->locs.data[program_edge(p, at)->loc];
  engine_tell_limit(e->context, PROPERTY_RACE,
                    arena_printf(e->context->arena, "%s:%u %s", sym_text(p, loc->file),
                                 loc->line, why));
}

static void claim_place(Races *e, uint32_t index, Place *place) {
  Arena *arena = e->context->arena;
  const Obligation *o = vec_at(&e->context->obligations->list, index);
  Claim claim = {
      .obligation = index, .proof = PROOF_LOCKSETS, .reason = reason_of(place)};
  EdgeId library = meets_library(e->flow, place->members, place->count);
  if (library) tell_limit(e, library, "accesses memory that the library uses meanwhile");
  if (claim.reason != REASON_UNDECIDED && !library) claim.verdict = VERDICT_SAFE;
  if (claim.reason == REASON_GUARDED) name_guards(e, place, &claim);
  /* memory of unknown origin may be any object that is known outside */
  if (pointsto_escapes(e->flow->pointsto, o->object)) {
    claim.conditions = e->elsewhere;
    claim.condition_count = 1;
  }
  claim.suspicion_count = e->suspicions.len;
  claim.suspicions = arena_dup(arena, e->suspicions.data,
                               e->suspicions.len * sizeof *e->suspicions.data);
  engine_claim(e->context, &claim);
}

static void check_place(Races *e, uint32_t index) {
  const Flow *flow = e->flow;
  const Obligations *all = e->context->obligations;
  const Obligation *o = vec_at(&all->list, index);
  const uint32_t *members = &all->members.data[o->first_member];
  uint32_t *sorted = handlers_last(flow, members, o->member_count);
  Place place = {.members = sorted, .count = o->member_count};
  pair_survey(flow, members, o->member_count, &place.any_write, &place.parallel);
  const char *name =
      name_of_place(flow->program, pointsto_object(flow->pointsto, o->object),
                    flow->accesses.data[members[0]].offset, e->context->arena);
  place.accepted_by_name = program_accepts(flow->program, name, false);
  vec_clear(&e->suspicions);
  classify(e, &place);
  compare_classes(e, &place);
  if (!flow_stopped(flow)) claim_place(e, index, &place); /* else pairs were left out */
  map_free(&place.accepted);
  vec_free(&place.classes);
  mem_free(place.class_of);
  mem_free(sorted);
}

/* Memory of unknown origin: flow has seen none that two threads may use, or the first of it is
 * told. */
static void check_elsewhere(Races *e, uint32_t index) {
  const Obligation *o = vec_at(&e->context->obligations->list, index);
  Claim claim = {.obligation = index,
                 .verdict = o->edge ? VERDICT_UNKNOWN : VERDICT_SAFE,
                 .proof = PROOF_LOCKSETS};
  bool wild = false;
  for (uint32_t i = 0; o->edge && i < e->flow->accesses.len; i++) {
    const FlowAccess *a = &e->flow->accesses.data[i];
    wild = wild ||
           (a->edge == o->edge && a->object == AOBJECT_UNKNOWN && (a->kind & FLOW_WILD));
  }
  if (o->edge)
    tell_limit(e, o->edge,
               wild ? "may access any of very many objects"
                    : "accesses memory of unknown origin");
  engine_claim(e->context, &claim);
}

void lockset_check_races(EngineContext *context, const Flow *flow) {
  const Obligations *all = context->obligations;
  Races e = {.context = context, .flow = flow};
  for (uint32_t i = 0; i < all->list.len; i++)
    if (all->list.data[i].kind == OBLIGATION_ELSEWHERE)
      e.elsewhere = arena_dup(context->arena, &i, sizeof i);
  for (uint32_t i = 0; i < all->list.len && !flow_stopped(flow); i++) {
    if (!engine_wants(context, i)) continue;
    if (all->list.data[i].kind == OBLIGATION_LOCATION) check_place(&e, i);
    if (all->list.data[i].kind == OBLIGATION_ELSEWHERE) check_elsewhere(&e, i);
  }
  vec_free(&e.suspicions);
  map_free(&e.warned);
}
