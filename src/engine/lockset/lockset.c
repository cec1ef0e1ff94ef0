/* Algorithm 1 of the layered approach, on flow's records: for every shared location, what is
 * common to all accesses; and for every pair of accesses that may race, that nothing is.
 *
 * Accesses of one object are cut into locations: maximal runs of overlapping byte ranges.
 * Accesses that agree in everything but their place are one class; classes are compared, not
 * accesses, so the cost of a much used location grows with its kinds of use. */
#include "engine/lockset/lockset.h"

#include "base/map.h"
#include "base/str.h"
#include "engine/lockset/pair.h"

#include <stdlib.h>

typedef struct {
  const Flow *flow;
  CheckResult *result;
  CandidateVec *candidates;
  bool open; /* something keeps the property from being proved */
  Map told;  /* pairs of edges, smaller << 32 | larger, with a warning about an object that
                has no name of its own: one is enough for all objects they may meet in */
} Engine;

/* The bytes that an access may touch, as an interval for cutting into locations. */
static void extent_of(const FlowAccess *a, uint64_t *ret_from, uint64_t *ret_to) {
  if (a->offset == OFFSET_ANY || !a->size || (a->kind & FLOW_FREE)) {
    *ret_from = 0;
    *ret_to = UINT64_MAX;
    return;
  }
  *ret_from = a->offset;
  *ret_to = (uint64_t)a->offset + a->size;
}

static int by_object(const void *x, const void *y, void *flow) {
  const FlowAccess *all = ((const Flow *)flow)->accesses.data;
  const FlowAccess *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];
  if (a->object != b->object)
    return a->object < b->object ? -1 : 1;
  uint64_t from_a, to_a, from_b, to_b;
  extent_of(a, &from_a, &to_a);
  extent_of(b, &from_b, &to_b);
  if (from_a != from_b)
    return from_a < from_b ? -1 : 1;
  return *(const uint32_t *)x < *(const uint32_t *)y ? -1 : 1;
}

/* ---- one location ---- */

typedef struct {
  const uint32_t *members; /* indices of accesses */
  uint32_t count;
  VEC(uint32_t) classes;   /* the first member of each class */
  uint32_t *class_of;      /* by member */
  bool parallel, shared_write, any_write;
  uint32_t reasons[PAIR_GUARDED + 1];
  Map accepted; /* pairs of edges, smaller << 32 | larger */
  bool accepted_by_name; /* a rules file accepts all races here */
} Place;

static bool is_accepted(const Engine *e, const FlowAccess *a) {
  return map_get(&e->result->accepted, a->edge) != NULL;
}

/* Everything but where the access stands (and whether the user accepts it there). */
static bool same_class(const Engine *e, const FlowAccess *a, const FlowAccess *b) {
  return is_accepted(e, a) == is_accepted(e, b) && a->before == b->before &&
         a->thread == b->thread && a->kind == b->kind && a->size == b->size &&
         a->offset == b->offset && a->exact == b->exact && a->fresh == b->fresh &&
         a->own == b->own && a->alive == b->alive && a->once_done == b->once_done &&
         a->once_inside == b->once_inside && a->lock_count == b->lock_count &&
         a->first_lock == b->first_lock &&
         !memcmp(&a->address, &b->address, sizeof a->address);
}

static void classify(Engine *e, Place *place) {
  const FlowAccess *all = e->flow->accesses.data;
  Map index = {0}; /* hash of a class to its number + 1 */
  place->class_of = mem_alloc(place->count * sizeof *place->class_of);
  for (uint32_t i = 0; i < place->count; i++) {
    const FlowAccess *a = &all[place->members[i]];
    uint64_t key = ((uint64_t)a->first_lock << 40) ^ ((uint64_t)a->alive << 24) ^
                   ((uint64_t)a->thread << 12) ^ a->kind ^ ((uint64_t)a->offset << 8) ^
                   (uint64_t)a->address.offset;
    uint64_t found = UINT64_MAX;
    for (int probe = 0; probe < 8 && found == UINT64_MAX; probe++, key = key * 31 + 7) {
      uint64_t *slot = map_at(&index, key);
      if (!*slot) {
        vec_push(&place->classes, i);
        *slot = place->classes.len;
      }
      if (same_class(e, a, &all[place->members[place->classes.data[*slot - 1]]]))
        found = *slot - 1;
    }
    if (found == UINT64_MAX) {
      vec_push(&place->classes, i);
      found = place->classes.len - 1;
    }
    place->class_of[i] = (uint32_t)found;
  }
  map_free(&index);
}

static const char *kind_text(uint32_t kind) {
  if (kind & FLOW_FREE)
    return "free";
  if (kind & FLOW_ATOMIC)
    return kind & FLOW_WRITE ? "atomic write" : "atomic read";
  return kind & FLOW_WRITE ? "write" : "read";
}

static FoundAccess found_access(Engine *e, const FlowAccess *a, const char *suffix) {
  Arena *arena = e->result->arena;
  const char **locks = arena_alloc(arena, (a->lock_count + 1) * sizeof *locks);
  for (uint32_t i = 0; i < a->lock_count; i++)
    locks[i] =
        lockset_lock_name(e->flow, &e->flow->locks.data[a->first_lock + i], arena);
  return (FoundAccess){
      .thread = arena_printf(arena, "%s%s", lockset_thread_name(e->flow, a->thread, arena),
                             suffix),
      .kind = kind_text(a->kind),
      .edge = a->edge,
      .locks = locks,
      .lock_count = a->lock_count};
}

/* A warning for two accesses; how likely it is an error decides its rank. */
static void add_candidate(Engine *e, uint32_t location, uint32_t x, uint32_t y) {
  Arena *arena = e->result->arena;
  const FlowAccess *a = &e->flow->accesses.data[x], *b = &e->flow->accesses.data[y];
  if ((b->kind & FLOW_WRITE) && !(a->kind & FLOW_WRITE)) {
    const FlowAccess *swap = a;
    a = b;
    b = swap;
  }
  bool same = a->thread == b->thread;
  FoundAccess *accesses = arena_alloc(arena, 2 * sizeof *accesses);
  accesses[0] = found_access(e, a, same ? "#1" : "");
  accesses[1] = found_access(e, b, same ? "#2" : "");
  const Location *place = vec_at(&e->result->locations, location);
  const char *why = a->lock_count || b->lock_count ? "no common lock" : "no lock is held";
  Finding finding = {
      .property = PROPERTY_RACE,
      .engine = "lockset",
      .name = place->name,
      .loc = place->loc,
      .accesses = accesses,
      .access_count = 2,
      .why = arena_printf(arena, "%s, and nothing orders %s and %s", why,
                          accesses[0].thread, accesses[1].thread),
      .rank = ((a->kind | b->kind) & FLOW_UNSURE ? 4u : 0u) +
              (a->exact && b->exact ? 0u : 1u) + ((b->kind & FLOW_WRITE) ? 0u : 1u)};
  Candidate c = {(uint32_t)(a - e->flow->accesses.data),
                 (uint32_t)(b - e->flow->accesses.data), e->result->findings.len, location};
  vec_push(&e->result->findings, finding);
  vec_push(e->candidates, c);
}

/* The pair races, and the user said that it may: it is told in numbers, and decides nothing
 * about the pairs that were not accepted. */
static void accept_pair(Engine *e, Place *place, uint32_t location, uint32_t x, uint32_t y) {
  const FlowAccess *all = e->flow->accesses.data;
  EdgeId a = all[x].edge < all[y].edge ? all[x].edge : all[y].edge;
  EdgeId b = all[x].edge < all[y].edge ? all[y].edge : all[x].edge;
  uint64_t *slot = map_at(&place->accepted, (uint64_t)a << 32 | b);
  if (!*slot) {
    add_candidate(e, location, x, y);
    vec_last(&e->result->findings)->accepted = true;
    e->candidates->len--; /* no evidence is sought */
    e->result->accepted_count++;
  }
  *slot = 1;
}

/* The pair has its warning already, about another object of the same kind. */
static bool is_told(Engine *e, const FlowAccess *a, const FlowAccess *b) {
  const Object *o = &e->flow->program->objects.data[pointsto_object(e->flow->pointsto, a->object)];
  if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_LIBRARY)
    return false;
  uint64_t low = a->edge < b->edge ? a->edge : b->edge;
  uint64_t high = a->edge < b->edge ? b->edge : a->edge;
  uint64_t *slot = map_at(&e->told, low << 32 | high);
  bool told = *slot;
  *slot = 1;
  return told;
}

/* Classes of the same circumstances: what those decide is decided for all of them at once, so
 * that the many uses of a big heap cost no more than their kinds. */
typedef struct {
  VEC(uint32_t) classes;
} Group;

typedef struct {
  VEC(Group) groups;
  uint32_t *group_of; /* by class */
  uint8_t *reasons;   /* by two groups: PairReason + 1, 0 when not yet decided; NULL when there
                         are too many groups */
} Grouping;

static const FlowAccess *class_access(const Engine *e, const Place *place, uint32_t c) {
  return &e->flow->accesses.data[place->members[place->classes.data[c]]];
}

static void grouping_make(const Engine *e, const Place *place, Grouping *g) {
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
                     a, class_access(e, place, g->groups.data[*slot - 1].classes.data[0]))) {
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

static PairReason reason_between(const Engine *e, const Place *place, const Grouping *g,
                                 uint32_t x, uint32_t y) {
  uint8_t *cell = g->reasons ? &g->reasons[(size_t)x * g->groups.len + y] : NULL;
  if (cell && *cell)
    return (PairReason)(*cell - 1);
  PairReason reason =
      pair_decide_anywhere(e->flow, class_access(e, place, g->groups.data[x].classes.data[0]),
                           class_access(e, place, g->groups.data[y].classes.data[0]));
  if (cell)
    *cell = (uint8_t)(reason + 1);
  return reason;
}

static void grouping_free(Grouping *g) {
  mem_free(g->reasons);
  for (uint32_t i = 0; i < g->groups.len; i++)
    vec_free(&g->groups.data[i].classes);
  vec_free(&g->groups);
  mem_free(g->group_of);
}

/* One member of a place against everything there. */
typedef struct {
  Engine *e;
  Place *place;
  Map *covered;      /* edges that some warning shows */
  uint32_t location;
  uint32_t member;   /* index of the access */
  uint32_t class;
  bool first;        /* it stands for its class */
  bool counts;       /* accepted pairs are to be counted */
  bool done;
  /* What was found out about a class: CLASS_CLEAN, or a class it races with, or nothing yet.
   * It holds for all of its members. */
  uint32_t *rival_of;
} Comparison;

enum { CLASS_UNKNOWN = UINT32_MAX, CLASS_CLEAN = UINT32_MAX - 1 };

static void compare_class(Comparison *m, uint32_t c) {
  Engine *e = m->e;
  const FlowAccess *all = e->flow->accesses.data, *x = &all[m->member];
  uint32_t partner = m->class == c ? m->member
                                   : m->place->members[m->place->classes.data[c]];
  PairReason reason = pair_decide(e->flow, x, &all[partner]);
  if (reason == PAIR_RACES && (m->place->accepted_by_name || is_accepted(e, x) ||
                               is_accepted(e, &all[partner]))) {
    accept_pair(e, m->place, m->location, m->member, partner);
    return;
  }
  if (m->first)
    m->place->reasons[reason]++;
  if (reason != PAIR_RACES)
    return;
  m->rival_of[m->class] = c;
  bool news = !map_get(m->covered, x->edge) || !map_get(m->covered, all[partner].edge);
  map_put(m->covered, x->edge, 1);
  map_put(m->covered, all[partner].edge, 1);
  if (news && !is_told(e, x, &all[partner]))
    add_candidate(e, m->location, m->member, partner);
  m->done = !m->first || !m->counts;
}

/* Once a warning shows a member, it needs no more, unless it stands for its class and the place
 * may still turn out to be safe, or accepted pairs are to be counted. */
static void compare_member(Comparison *m, const Grouping *g, uint32_t i) {
  Place *place = m->place;
  const FlowAccess *all = m->e->flow->accesses.data;
  m->member = place->members[i];
  m->class = place->class_of[i];
  m->first = place->classes.data[m->class] == i;
  bool open = place->reasons[PAIR_RACES] && !m->counts;
  m->done = (!m->first || open) && map_get(m->covered, all[m->member].edge);
  uint32_t rival = m->rival_of[m->class];
  if (m->done || rival == CLASS_CLEAN)
    return;
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
static void compare_classes(Engine *e, Place *place, uint32_t location) {
  Map covered = {0};
  Grouping grouping = {0};
  grouping_make(e, place, &grouping);
  Comparison m = {.e = e, .place = place, .covered = &covered, .location = location};
  m.counts = e->result->accepted.len || place->accepted_by_name;
  m.rival_of = mem_alloc((place->classes.len + 1) * sizeof *m.rival_of);
  for (uint32_t c = 0; c < place->classes.len; c++)
    m.rival_of[c] = CLASS_UNKNOWN;
  for (uint32_t i = 0; i < place->count && !flow_stopped(e->flow); i++)
    compare_member(&m, &grouping, i);
  mem_free(m.rival_of);
  grouping_free(&grouping);
  map_free(&covered);
}

/* Locks that every writing or parallel access holds by the same unique name. */
static void add_guards(Engine *e, const Place *place, Location *location) {
  const Flow *flow = e->flow;
  Arena *arena = e->result->arena;
  const FlowAccess *first = NULL;
  VEC(const char *) guards = {0};
  for (uint32_t i = 0; i < place->classes.len && !first; i++) {
    const FlowAccess *a = &flow->accesses.data[place->members[place->classes.data[i]]];
    if (a->lock_count)
      first = a;
  }
  for (uint32_t k = 0; first && k < first->lock_count; k++) {
    const FlowLock *lock = &flow->locks.data[first->first_lock + k];
    bool everywhere = !flow_lock_is_loose(flow, lock);
    for (uint32_t i = 0; i < place->classes.len && everywhere; i++) {
      const FlowAccess *a = &flow->accesses.data[place->members[place->classes.data[i]]];
      bool alone = a->alive == 0 && !flow->threads.data[a->thread].site;
      bool held = alone || a->fresh;
      for (uint32_t m = 0; m < a->lock_count && !held; m++) {
        const FlowLock *other = &flow->locks.data[a->first_lock + m];
        held = other->kind == lock->kind &&
               (other->unique && lock->unique
                    ? other->name.base == lock->name.base &&
                          other->name.offset == lock->name.offset
                    : other->shown == lock->shown);
      }
      everywhere = held;
    }
    if (everywhere)
      vec_push(&guards, lockset_lock_name(flow, lock, arena));
  }
  location->guard_count = guards.len;
  location->guards = arena_dup(arena, guards.data, guards.len * sizeof *guards.data);
  vec_free(&guards);
}

static Reason reason_of(const Place *place) {
  if (place->reasons[PAIR_RACES])
    return REASON_UNDECIDED;
  if (place->accepted.len)
    return REASON_ACCEPTED;
  if (!place->any_write)
    return REASON_READ_ONLY;
  if (place->reasons[PAIR_GUARDED])
    return REASON_GUARDED;
  if (place->reasons[PAIR_OWN])
    return REASON_THREAD_LOCAL;
  if (place->reasons[PAIR_ATOMIC])
    return REASON_ATOMIC;
  return place->parallel ? REASON_ORDERED : REASON_SINGLE_THREADED;
}

/* Worth telling: globals, and what several threads touch. */
static bool is_interesting(Engine *e, const Place *place, ObjectId object) {
  const Object *o = &e->flow->program->objects.data[object];
  if (o->flags & OBJECT_LITERAL)
    return false;
  if (place->reasons[PAIR_RACES] || place->accepted.len)
    return true;
  if (o->kind == OBJECT_GLOBAL)
    return !(o->flags & OBJECT_CONSTANT);
  return place->parallel && place->any_write && o->kind != OBJECT_LIBRARY;
}

/* The first reason is told. */
static void leave_open(Engine *e, EdgeId at, const char *why) {
  const Program *p = e->flow->program;
  const Loc *loc = &p->locs.data[program_edge(p, at)->loc];
  e->open = true;
  if (!e->result->unknown_because[PROPERTY_RACE])
    e->result->unknown_because[PROPERTY_RACE] = arena_printf(
        e->result->arena, "%s:%u %s", sym_text(p, loc->file), loc->line, why);
}

/* Memory of unknown origin may be any object that is known outside. */
static void check_outside(Engine *e, const uint32_t *members, uint32_t count) {
  const Flow *flow = e->flow;
  for (uint32_t i = 0; i < count; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    if ((!a->alive && !flow->threads.data[a->thread].site) || (a->kind & FLOW_SYNCED))
      continue; /* nobody else runs, or the library locks its own (a stream) */
    leave_open(e, a->edge,
               a->kind & FLOW_WILD ? "may access any of very many objects"
                                   : "accesses memory of unknown origin");
    return;
  }
}

/* Every access of the location once for each thread, for --explain. */
static void list_accesses(Engine *e, const Place *place, Location *location) {
  Map seen = {0}; /* edge << 32 | thread */
  FoundAccess *list = arena_alloc(e->result->arena, place->count * sizeof *list);
  for (uint32_t i = 0; i < place->count; i++) {
    const FlowAccess *a = &e->flow->accesses.data[place->members[i]];
    uint64_t *slot = map_at(&seen, (uint64_t)a->edge << 32 | a->thread);
    if (!*slot)
      list[location->access_count++] = found_access(e, a, "");
    *slot = 1;
  }
  location->accesses = list;
  map_free(&seen);
}

/* Handlers come last: a warning tells of two threads rather than of one that a signal
 * interrupts. */
static uint32_t *handlers_last(const Flow *flow, const uint32_t *members, uint32_t count) {
  uint32_t *sorted = mem_alloc(count * sizeof *sorted), n = 0;
  for (int apart = 0; apart < 2; apart++)
    for (uint32_t i = 0; i < count; i++)
      if (flow_stands_apart(flow, flow->accesses.data[members[i]].thread) == (apart == 1))
        sorted[n++] = members[i];
  return sorted;
}

/* What a stream was given as its buffer is written whenever the stream is used, what was put
 * into the environment is read whenever anyone asks for a variable. */
static void check_later(Engine *e, const uint32_t *members, uint32_t count) {
  const Flow *flow = e->flow;
  uint32_t later = 0;
  for (uint32_t i = 0; i < count; i++)
    if (flow->accesses.data[members[i]].kind & FLOW_LATER)
      later |= flow->accesses.data[members[i]].kind;
  for (uint32_t i = 0; i < count && later; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    if ((!a->alive && !flow->threads.data[a->thread].site) ||
        (a->kind & (FLOW_SYNCED | FLOW_LATER)) || !((a->kind | later) & FLOW_WRITE))
      continue;
    leave_open(e, a->edge, "accesses memory that the library uses meanwhile");
    return;
  }
}

static void check_place(Engine *e, const uint32_t *members, uint32_t count) {
  const Flow *flow = e->flow;
  check_later(e, members, count);
  const FlowAccess *first = &flow->accesses.data[members[0]];
  uint32_t *sorted = handlers_last(flow, members, count);
  Place place = {.members = sorted, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    place.any_write = place.any_write || (a->kind & FLOW_WRITE);
    place.parallel = place.parallel || a->thread != first->thread ||
                     flow->threads.data[a->thread].many;
  }
  ObjectId object = pointsto_object(flow->pointsto, first->object);
  Arena *arena = e->result->arena;
  uint32_t offset = first->offset;
  Location location = {.name = lockset_place_name(flow->program, object, offset, arena),
                       .loc = flow->program->objects.data[object].loc,
                       .object = object,
                       .engine = "lockset"};
  uint32_t index = e->result->locations.len;
  vec_push(&e->result->locations, location);
  place.accepted_by_name = program_accepts(flow->program, location.name, false);
  classify(e, &place);
  compare_classes(e, &place, index);
  Location *told = vec_at(&e->result->locations, index);
  told->reason = reason_of(&place);
  told->verdict = told->reason == REASON_UNDECIDED ? VERDICT_UNKNOWN : VERDICT_SAFE;
  if (told->reason == REASON_GUARDED)
    add_guards(e, &place, told);
  if (e->result->wants_accesses)
    list_accesses(e, &place, told);
  e->open = e->open || told->verdict != VERDICT_SAFE;
  if (!is_interesting(e, &place, object))
    e->result->locations.len--; /* it has no candidates: nothing refers to it */
  map_free(&place.accepted);
  vec_free(&place.classes);
  mem_free(place.class_of);
  mem_free(sorted);
}

/* ---- all of them ---- */

void lockset_check_races(const Flow *flow, CheckResult *result,
                         CandidateVec *ret_candidates) {
  Engine e = {.flow = flow, .result = result, .candidates = ret_candidates};
  if (!flow->complete) {
    result->unknown_because[PROPERTY_RACE] = flow->incomplete;
    return;
  }
  uint32_t n = flow->accesses.len;
  uint32_t *order = mem_alloc((n + 1) * sizeof *order);
  for (uint32_t i = 0; i < n; i++)
    order[i] = i;
  if (n)
    qsort_r(order, n, sizeof *order, by_object, (void *)flow);
  for (uint32_t from = 0; from < n;) {
    uint64_t start, end;
    extent_of(&flow->accesses.data[order[from]], &start, &end);
    uint32_t to = from + 1;
    for (; to < n; to++) {
      const FlowAccess *a = &flow->accesses.data[order[to]];
      uint64_t next, next_end;
      extent_of(a, &next, &next_end);
      if (a->object != flow->accesses.data[order[from]].object || next >= end)
        break;
      end = next_end > end ? next_end : end;
    }
    if (flow->accesses.data[order[from]].object == AOBJECT_UNKNOWN)
      check_outside(&e, order + from, to - from);
    else
      check_place(&e, order + from, to - from);
    from = to;
  }
  mem_free(order);
  map_free(&e.told);
  if (flow_stopped(flow)) { /* places were left out */
    result->unknown_because[PROPERTY_RACE] = "time ran out";
    return;
  }
  if (flow->foreign_unlock)
    leave_open(&e, flow->foreign_unlock,
               flow->unlocks_any
                   ? "unlocks what another thread locked, which no certificate covers"
                   : "unlocks what another thread locked, which POSIX leaves undefined");
  EdgeId renewed = lockset_renewed(flow);
  if (renewed)
    leave_open(&e, renewed, "changes a lock or barrier that another thread may be using");
  if (flow->calls_back)
    leave_open(&e, flow->calls_back,
               "calls a function of which nothing is known, which may call the program's");
  if (flow->changed_by_callback)
    leave_open(&e, flow->changed_by_callback,
               "calls back a function that changes locks or threads");
  if (!e.open)
    result->verdicts[PROPERTY_RACE] = VERDICT_SAFE;
}
