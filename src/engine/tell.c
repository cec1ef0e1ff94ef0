/* See tell.h. A property is safe if its list of obligations is complete and each of them is safe;
 * unsafe if an error of it was shown; unknown otherwise, with the reasons of those who tried. */
#include "engine/tell.h"

#include "analysis/pair.h"
#include "base/str.h"
#include "engine/names.h"

#include <assert.h>

/* ---- locations ---- */

/* Worth telling: globals, and what several threads touch. */
static bool is_interesting(const Ladder *l, const Obligation *o) {
  const Flow *flow = l->analyses->flow;
  const Object *object =
      &l->program->objects.data[pointsto_object(flow->pointsto, o->object)];
  bool written, parallel;
  if (object->flags & OBJECT_LITERAL) return false;
  if (o->verdict != VERDICT_SAFE || o->reason == REASON_ACCEPTED) return true;
  if (object->kind == OBJECT_GLOBAL) return !(object->flags & OBJECT_CONSTANT);
  pair_survey(flow, &l->obligations->members.data[o->first_member], o->member_count,
              &written, &parallel);
  return parallel && written && object->kind != OBJECT_LIBRARY;
}

/* A proof that holds on conditions, of which one stayed open: its accesses are kept apart, if races there do no
 * harm. NULL: there is none. */
static const char *conditional(const Ladder *l, const Obligation *o, Arena *arena) {
  uint32_t number = (uint32_t)(o - l->obligations->list.data);
  const char *text = NULL;
  for (uint32_t i = 0; i < l->pending.len && !text; i++) {
    const Claim *c = &l->pending.data[i].claim;
    if (c->obligation != number || !c->guard_count) continue;
    for (uint32_t k = 0; k < c->condition_count; k++) {
      const Obligation *open = &l->obligations->list.data[c->conditions[k]];
      if (open->verdict == VERDICT_SAFE || open->kind != OBLIGATION_LOCATION) continue;
      ObjectId object = pointsto_object(l->analyses->flow->pointsto, open->object);
      const char *name = name_of_place(l->program, object, (uint32_t)open->from, arena);
      text = text ? arena_printf(arena, "%s and %s", text, name) : name;
    }
  }
  return text ? arena_printf(
                    arena,
                    "no two of its accesses are ever next at the same time, if races "
                    "on %s do no harm",
                    text)
              : NULL;
}

static void tell_location(const Ladder *l, const Obligation *o, CheckResult *r) {
  assert(o->kind == OBLIGATION_LOCATION && o->member_count);
  const Flow *flow = l->analyses->flow;
  ObjectId object = pointsto_object(flow->pointsto, o->object);
  uint32_t member = l->obligations->members.data[o->first_member];
  Location location = {
      .declared = place_of_loc(l->program, l->program->objects.data[object].loc),
      .object = object,
      .verdict = o->verdict,
      .reason = o->verdict == VERDICT_UNKNOWN ? REASON_UNDECIDED : o->reason,
      .engine = o->engine ? o->engine : l->engines[0]->name,
      .guards = o->guards,
      .guard_count = o->guard_count,
      .unchecked = o->verdict == VERDICT_SAFE && o->unchecked};
  location.name =
      name_of_place(l->program, object, flow->accesses.data[member].offset, r->arena);
  if (o->verdict == VERDICT_SAFE) location.detail = o->story;
  if (o->verdict == VERDICT_UNKNOWN) location.detail = conditional(l, o, r->arena);
  if (r->wants_accesses) tell_accesses(l, o, &location, r->arena);
  tell_warnings(l, o, r, location.name, location.declared);
  vec_push(&r->locations, location);
}

/* ---- verdicts ---- */

static Verdict verdict_of(const Ladder *l, Property p) {
  bool safe = l->obligations->complete[p] &&
              caveat_against_none(&l->analyses->caveats, p) == CAVEAT_COUNT;
  for (uint32_t i = 0; i < l->shown.len; i++)
    if (l->shown.data[i].finding.property == p && !l->shown.data[i].finding.accepted)
      return VERDICT_UNSAFE;
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (obligation_property(o) == p && o->verdict != VERDICT_SAFE) safe = false;
  }
  return safe ? VERDICT_SAFE : VERDICT_UNKNOWN;
}

static bool rests_on_unchecked(const Ladder *l, Property p) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (obligation_property(o) == p && o->unchecked) return true;
  }
  return false;
}

/* ---- why something stayed unknown ---- */

static bool has_warnings(const CheckResult *r, Property p) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].property == p && !r->findings.data[i].accepted) return true;
  return false;
}

static bool can_prove(const Ladder *l) {
  for (const Engine *const *e = l->engines; *e; e++)
    if ((*e)->tier != TIER_SEARCH) return true;
  return false;
}

static const char *bare_reason(const Ladder *l, const CheckResult *r, Property p) {
  if (has_warnings(r, p))
    return "what is listed as a warning was neither excluded nor shown";
  if (l->stop && *l->stop) return "the time was over before the answer was known";
  if (!can_prove(l))
    return "nothing was found; an engine that could prove it was not asked";
  return p == PROPERTY_RACE       ? "the analysis did not come to an end"
         : p == PROPERTY_DEADLOCK ? "no deadlock was found, which is no proof"
         : p == PROPERTY_ASSERT   ? "no run failed an assertion, which is no proof"
                                  : "nothing was found, which is no proof";
}

/* Races stand in the way of other proofs. Where nobody asked for them, one is named. */
static const char *with_unasked_race(const Ladder *l, const CheckResult *r,
                                     const char *reason) {
  for (uint32_t i = 0; i < l->shown.len; i++) {
    const Finding *f = &l->shown.data[i].finding;
    if (f->property == PROPERTY_RACE && !r->asked[PROPERTY_RACE] && !f->accepted)
      return arena_printf(r->arena, "%s; there is a race on %s, see --property race",
                          reason, f->name);
  }
  return reason;
}

/* What forbids `safe` whoever asks is the reason, or what the cheapest engine could not do; how far
 * the others got follows it. */
static const char *why_unknown(const Ladder *l, const CheckResult *r, Property p) {
  CaveatId against = caveat_against_all(&l->analyses->caveats, p);
  if (against != CAVEAT_COUNT)
    return caveat_why(&l->analyses->caveats, against, l->program, r->arena);
  const char *reason = NULL;
  Str others = {0};
  for (uint32_t i = 0; i < l->limits.len; i++) {
    const Limit *x = &l->limits.data[i];
    if (x->property != p) continue;
    if (x->engine == l->engines[0] && !reason)
      reason = x->why;
    else if (x->engine != l->engines[0])
      str_addf(&others, "%s%s: %s", others.len ? "; " : "", x->engine->name, x->why);
  }
  if (!reason) reason = bare_reason(l, r, p);
  const char *all =
      others.len ? arena_printf(r->arena, "%s (%s)", reason, str_text(&others)) : reason;
  str_free(&others);
  return with_unasked_race(l, r, all);
}

/* The engine that looks at everything could not: what it saw stands in the way of any proof. */
static bool was_limited(const Ladder *l, Property p) {
  for (uint32_t i = 0; i < l->limits.len; i++)
    if (l->limits.data[i].property == p && l->limits.data[i].engine == l->engines[0])
      return true;
  return false;
}

void tell_result(const Ladder *l, CheckResult *r) {
  for (uint32_t i = 0; i < l->shown.len; i++) {
    const Finding *f = &l->shown.data[i].finding;
    if (!r->asked[f->property]) continue; /* found because something else depends on it */
    vec_push(&r->findings, *f);
    r->accepted_count += f->accepted;
  }
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->kind == OBLIGATION_LOCATION && o->asked && is_interesting(l, o))
      tell_location(l, o, r);
    if (o->kind == OBLIGATION_WAIT) tell_warnings(l, o, r, NULL, (SourcePlace){0});
  }
  r->certificate = l->certificate;
  r->contradiction = l->contradiction;
  for (int p = 0; p < PROPERTY_COUNT; p++) {
    if (!r->asked[p]) continue;
    r->verdicts[p] = verdict_of(l, (Property)p);
    r->unchecked[p] =
        r->verdicts[p] == VERDICT_SAFE && rests_on_unchecked(l, (Property)p);
    /* who is told `safe` is told of nothing that speaks against it */
    assert(r->verdicts[p] != VERDICT_SAFE || !has_warnings(r, (Property)p));
    bool unsafe = r->verdicts[p] == VERDICT_UNSAFE; /* more may be wrong than was shown */
    if (r->verdicts[p] == VERDICT_UNKNOWN || (unsafe && was_limited(l, (Property)p)))
      r->unknown_because[p] = why_unknown(l, r, (Property)p);
  }
  result_complete(r);
}
