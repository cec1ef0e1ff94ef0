/* A witness as a finding: what it violates, who did what, and what would mend it. */
#include "engine/advise.h"
#include "engine/ladder.h"
#include "engine/narrate.h"
#include "engine/route.h"

#include "base/str.h"

#include <assert.h>

/* ---- the obligation that a witness violates ---- */

static bool same_pair(const Flow *flow, const Suspicion *s, const Witness *w) {
  EdgeId a = flow->accesses.data[s->records[0]].edge;
  EdgeId b = flow->accesses.data[s->records[1]].edge;
  return (a == w->edges[0] && b == w->edges[1]) || (a == w->edges[1] && b == w->edges[0]);
}

static bool suspects(const Flow *flow, const Obligation *o, const Witness *w) {
  for (uint32_t i = 0; i < o->suspicion_count; i++)
    if (same_pair(flow, &o->suspicions[i], w)) return true;
  return false;
}

static bool is_there(const Ladder *l, const Obligation *o, const Narration *narration) {
  const Flow *flow = l->analyses->flow;
  if (pointsto_object(l->analyses->pointsto, o->object) != narration->object)
    return false;
  uint64_t at = pointsto_fold_offset(flow->pointsto, o->object, narration->offset);
  return at == OFFSET_ANY || (o->from <= at && at < o->to);
}

/* The location where the accesses meet: one where this pair is suspected, or else any. */
static uint32_t find_location(const Ladder *l, const Witness *w,
                              const Narration *narration) {
  uint32_t best = UINT32_MAX;
  bool suspected = false;
  for (uint32_t i = 0; l->analyses->flow && i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->kind != OBLIGATION_LOCATION) continue;
    bool here = suspects(l->analyses->flow, o, w);
    /* what the library made itself has no name in the interpreter, and its own places there */
    bool nameless =
        !narration->object && !pointsto_object(l->analyses->pointsto, o->object);
    if (nameless ? !here : !is_there(l, o, narration)) continue;
    if (best == UINT32_MAX || (here && !suspected)) best = i;
    suspected = suspected || here;
  }
  return best;
}

static uint32_t find_by_edge(const Ladder *l, ObligationKind kind, EdgeId edge) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->kind == kind && o->edge == edge) return i;
  }
  return UINT32_MAX;
}

/* What stands for all memory that no location lists, if somebody called it safe. Otherwise it
 * stays open: engines do not know how to do without that memory. */
static uint32_t find_proved_elsewhere(const Ladder *l) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->kind == OBLIGATION_ELSEWHERE && o->verdict == VERDICT_SAFE) return i;
  }
  return UINT32_MAX;
}

/* Somebody claimed that this cannot happen. */
static void violate(Ladder *l, const Engine *engine, uint32_t index, Reason reason) {
  if (index == UINT32_MAX) return;
  Obligation *o = vec_at(&l->obligations->list, index);
  if (o->verdict == VERDICT_SAFE) ladder_contradicts(l, o->engine, engine->name);
  o->verdict = VERDICT_UNSAFE;
  o->engine = engine->name;
  o->reason = reason;
  o->unchecked = false;
}

/* ---- findings ---- */

static SourcePlace declared_at(const Program *p, ObjectId object) {
  return place_of_loc(p, object ? vec_at(&p->objects, object)->loc : 0);
}

static bool is_write(const FoundAccess *a) {
  return str_ends(a->kind, "write") || str_eq(a->kind, "free");
}

static const char *why_race(Arena *arena, const Finding *f) {
  const FoundAccess *a = &f->accesses[0], *b = &f->accesses[1];
  const char *locks =
      a->lock_count && b->lock_count ? "they hold different locks"
      : a->lock_count || b->lock_count
          ? arena_printf(arena, "%s holds no lock", a->lock_count ? b->thread : a->thread)
          : "neither holds a lock";
  return arena_printf(arena, "%s and %s come to these accesses at the same time: %s",
                      a->thread, b->thread, locks);
}

/* The write first, as in the warnings. */
static void order_accesses(Arena *arena, Finding *f) {
  if (f->access_count != 2 || is_write(&f->accesses[0]) || !is_write(&f->accesses[1]))
    return;
  FoundAccess *swapped = arena_alloc(arena, 2 * sizeof *swapped);
  swapped[0] = f->accesses[1];
  swapped[1] = f->accesses[0];
  f->accesses = swapped;
}

static Finding finding_of(const Engine *engine, Property property,
                          const Narration *narration) {
  return (Finding){.property = property,
                   .verdict = VERDICT_UNSAFE,
                   .evidence = EVIDENCE_FEASIBLE,
                   .engine = engine->name,
                   .name = narration->name,
                   .accesses = narration->accesses,
                   .access_count = narration->access_count,
                   .steps = narration->steps,
                   .step_count = narration->step_count,
                   .why = narration->why,
                   .fix = narration->fix,
                   .unordered = narration->unordered};
}

/* The user said that one of the two is meant so. */
static bool is_accepted(const Ladder *l, const Witness *w, const Finding *f) {
  return map_get(l->accepted, w->edges[0]) || map_get(l->accepted, w->edges[1]) ||
         program_accepts(l->program, f->name, false);
}

static void show_race(Ladder *l, const Engine *engine, const Witness *w,
                      const Narration *narration, Shown *shown) {
  Finding *f = &shown->finding;
  assert(f->access_count == 2);
  f->declared = declared_at(l->program, narration->object);
  order_accesses(l->arena, f);
  if (!narration->unordered) f->why = why_race(l->arena, f);
  const char *special = advise_lock(l->program, w->edges, f->name, l->arena);
  if (!special) special = advise_handler(l->analyses->flow, w->edges, f->name, l->arena);
  if (special) f->fix = special;
  if (!f->fix) f->fix = advise_race(f->accesses, f->name, l->arena);
  f->accepted = is_accepted(l, w, f);
  if (f->accepted) return;
  shown->obligation = find_location(l, w, narration);
  if (shown->obligation == UINT32_MAX) shown->obligation = find_proved_elsewhere(l);
  violate(l, engine, shown->obligation, REASON_RACE);
}

static uint32_t find_wait(const Ladder *l, const SourcePlace *place) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->kind != OBLIGATION_WAIT) continue;
    SourcePlace here = place_of_edge(l->program, o->edge);
    if (place_same(&here, place)) return i;
  }
  return UINT32_MAX;
}

static uint32_t violate_waits(Ladder *l, const Engine *engine,
                              const Narration *narration) {
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < narration->access_count; i++) {
    uint32_t index = find_wait(l, &narration->accesses[i].place);
    violate(l, engine, index, REASON_UNDECIDED);
    if (first == UINT32_MAX) first = index;
  }
  return first;
}

static bool same_access(const FoundAccess *a, const FoundAccess *b) {
  return place_same(&a->place, &b->place) && str_eq(a->kind, b->kind);
}

/* The same two accesses to the same variable were told of before. */
static bool is_known_race(const Ladder *l, const Finding *new) {
  const FoundAccess *x = new->accesses;
  for (uint32_t i = 0; i < l->shown.len && new->access_count == 2; i++) {
    const Finding *f = &l->shown.data[i].finding;
    if (f->property != PROPERTY_RACE || f->access_count != 2 ||
        !str_eq(f->name, new->name))
      continue;
    const FoundAccess *y = f->accesses;
    if ((same_access(&x[0], &y[0]) && same_access(&x[1], &y[1])) ||
        (same_access(&x[0], &y[1]) && same_access(&x[1], &y[0])))
      return true;
  }
  return false;
}

static bool is_join(const FoundAccess *wait) {
  return str_eq(wait->kind, "join");
}

static bool is_told_wait(const Ladder *l, const FoundAccess *wait) {
  for (uint32_t k = 0; k < l->shown.len; k++) {
    const Finding *f = &l->shown.data[k].finding;
    for (uint32_t n = 0; n < f->access_count && f->property == PROPERTY_DEADLOCK; n++)
      if (place_same(&f->accesses[n].place, &wait->place)) return true;
  }
  return false;
}

/* Every wait of it was told of before: another way into the same. Whoever waits for the end of one
 * that is stuck makes no other deadlock of it. */
static bool is_known_deadlock(const Ladder *l, const Narration *narration) {
  bool only_joins = true;
  for (uint32_t i = 0; i < narration->access_count; i++)
    only_joins = only_joins && is_join(&narration->accesses[i]);
  for (uint32_t i = 0; i < narration->access_count; i++) {
    const FoundAccess *wait = &narration->accesses[i];
    if ((only_joins || !is_join(wait)) && !is_told_wait(l, wait)) return false;
  }
  return narration->access_count > 0;
}

/* A function may stand in the model several times, once for each function that it is given: its assertion is still
 * one in the source. */
static bool is_known_assertion(const Ladder *l, const Finding *finding) {
  for (uint32_t k = 0; k < l->shown.len; k++) {
    const Finding *f = &l->shown.data[k].finding;
    if (f->property == PROPERTY_ASSERT && place_same(&f->declared, &finding->declared))
      return true;
  }
  return false;
}

/* The way there leads over something that POSIX leaves undefined. */
static const char *with_reservation(const Ladder *l, const Witness *w, const char *why) {
  static const CaveatId undefined[] = {CAVEAT_FOREIGN_UNLOCK, CAVEAT_LOCK_RENEWED,
                                       CAVEAT_UNDEFINED_CALL};
  const Caveats *c = &l->analyses->caveats;
  for (uint32_t i = 0; w->glibc && i < sizeof undefined / sizeof *undefined; i++)
    if (c->state[undefined[i]] == CAVEAT_PRESENT)
      return arena_printf(l->arena, "%s (as glibc does it: %s)", why ? why : "",
                          caveat_why(c, undefined[i], l->program, l->arena));
  return why;
}

bool show_witness(Ladder *l, const Engine *engine, const Witness *w) {
  Narration narration = {0};
  Shown shown = {.obligation = UINT32_MAX};
  if (!narrate(l->program, w, l->arena, &narration)) return false;
  switch (w->kind) {
  case WITNESS_NONE: return false;
  case WITNESS_RACE:
    shown.finding = finding_of(engine, PROPERTY_RACE, &narration);
    if (is_known_race(l, &shown.finding)) return true;
    show_race(l, engine, w, &narration, &shown);
    break;
  case WITNESS_DEADLOCK:
    if (is_known_deadlock(l, &narration)) return true;
    shown.finding = finding_of(engine, PROPERTY_DEADLOCK, &narration);
    shown.finding.declared = declared_at(l->program, narration.object);
    shown.obligation = violate_waits(l, engine, &narration);
    break;
  case WITNESS_ASSERT:
    shown.finding = finding_of(engine, PROPERTY_ASSERT, &narration);
    shown.finding.declared =
        place_of_loc(l->program, program_edge(l->program, w->edge)->loc);
    shown.obligation = find_by_edge(l, OBLIGATION_ASSERTION, w->edge);
    violate(l, engine, shown.obligation, REASON_UNDECIDED);
    if (is_known_assertion(l, &shown.finding)) return true;
    break;
  }
  assert(shown.obligation == UINT32_MAX ||
         obligation_property(&l->obligations->list.data[shown.obligation]) ==
             shown.finding.property);
  shown.finding.why = with_reservation(l, w, shown.finding.why);
  if (l->routes && !shown.finding.accepted)
    shown.finding.route = route_of_witness(l->program, w, l->arena);
  vec_push(&l->shown, shown);
  return true;
}
