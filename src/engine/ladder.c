/* See ladder.h. */
#include "engine/ladder.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"

#include <assert.h>

static Obligation *obligation_at(const Ladder *l, uint32_t i) {
  return vec_at(&l->obligations->list, i);
}

bool ladder_is_over(const Ladder *l) {
  return (l->stop && *l->stop) || clock_now() >= l->deadline;
}

void ladder_free(Ladder *l) {
  vec_free(&l->pending);
  vec_free(&l->limits);
  vec_free(&l->shown);
  map_free(&l->kept);
}

/* ---- what engines see of it ---- */

bool engine_wants(const EngineContext *c, uint32_t i) {
  const Obligation *o = vec_at(&c->obligations->list, i);
  return obligation_is_open(o) && !c->self->objection(c, o);
}

bool engine_wants_any(const EngineContext *c, Property property) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (obligation_property(&c->obligations->list.data[i]) == property &&
        engine_wants(c, i))
      return true;
  return false;
}

/* That of its share, or that of everybody, which may have come nearer meanwhile. */
static double deadline_of(const EngineContext *c) {
  return c->deadline < c->ladder->deadline ? c->deadline : c->ladder->deadline;
}

bool engine_is_over(const EngineContext *c) {
  return (c->stop && *c->stop) || clock_now() >= deadline_of(c);
}

double engine_seconds_left(const EngineContext *c) {
  double left = deadline_of(c) - clock_now();
  return left > 0 ? left : 0;
}

const void *engine_recall(const EngineContext *c) {
  return (const void *)(uintptr_t)map_find(&c->ladder->kept, map_key(c->self), 0);
}

void engine_keep(EngineContext *c, const void *what) {
  map_put(&c->ladder->kept, map_key(c->self), map_key(what));
}

double engine_seconds_after_errors(const EngineContext *c) {
  return c->ladder->extra;
}

bool engine_lacks_error(const EngineContext *c, Property property) {
  return ladder_is_undecided(c->ladder, property);
}

void engine_tell_limit(EngineContext *c, Property property, const char *why) {
  Ladder *l = c->ladder;
  if (l->deaf) return;
  for (uint32_t i = 0; i < l->limits.len; i++) { /* the latest word of an engine counts */
    Limit *x = &l->limits.data[i];
    if (x->engine != c->self || x->property != property) continue;
    if (c->self->tier != TIER_FACTS) x->why = why;
    return;
  }
  vec_push(&c->ladder->limits, ((Limit){c->self, property, why}));
}

/* ---- claims ---- */

/* What is suspected of an open obligation, and what guards it, is kept in any case: it serves
 * other engines and the report, and proves nothing. */
static void keep_what_is_known(Obligation *o, const Claim *claim) {
  if (claim->suspicion_count) {
    o->suspicions = claim->suspicions;
    o->suspicion_count = claim->suspicion_count;
  }
  if (claim->story) o->story = claim->story;
  if (!claim->guard_count) return;
  o->guards = claim->guards;
  o->guard_count = claim->guard_count;
}

static bool is_admitted(EngineContext *c, const Claim *claim, Property property) {
  if (claim->verdict != VERDICT_SAFE || claim->proof == PROOF_NONE) return false;
  const Caveats *caveats = &c->analyses->caveats;
  CaveatId against = caveat_against(caveats, property, c->self->rests | ON_ALWAYS);
  if (against == CAVEAT_COUNT) return true;
  Ladder *l = c->ladder;
  const char *why = caveat_why(caveats, against, l->program, l->arena);
  engine_tell_limit(c, property, why);
  return false;
}

void engine_claim(EngineContext *c, const Claim *claim) {
  Obligation *o = obligation_at(c->ladder, claim->obligation);
  assert(claim->verdict != VERDICT_UNSAFE); /* errors are shown */
  assert(claim->proof != PROOF_SCHEDULES || claim->schedules);
  for (uint32_t i = 0; i < claim->condition_count; i++)
    assert(claim->conditions[i] < c->obligations->list.len);
  if (!obligation_is_open(o)) return;
  keep_what_is_known(o, claim);
  if (!c->ladder->deaf && is_admitted(c, claim, obligation_property(o)))
    vec_push(&c->ladder->pending, ((Pending){.claim = *claim, .engine = c->self}));
}

/* ---- closing conditions ---- */

void ladder_contradicts(Ladder *l, const char *proved_by, const char *refuted_by) {
  l->contradiction = true;
  log_put(l->log, LOG_ERROR,
          "engines contradict each other: %s proved what %s refuted: please report this",
          proved_by, refuted_by);
}

static void write_answer(Ladder *l, const Pending *p) {
  Obligation *o = obligation_at(l, p->claim.obligation);
  assert(o->verdict != VERDICT_UNSAFE && p->judged);
  assert(p->claim.verdict == VERDICT_SAFE && p->claim.proof != PROOF_NONE);
  o->verdict = VERDICT_SAFE;
  o->engine = p->engine->name;
  o->reason = p->claim.reason;
  o->unchecked = !p->checked;
}

typedef VEC(uint32_t) Counts;

/* Races: the first race of an execution has none before it, so claims may support each other in
 * a circle. Those fall whose conditions nobody supports, until no more do, and those about what
 * was shown to race since they were made. `support` counts the claims that stand, by
 * obligation. */
static bool is_supported(const Ladder *l, const Claim *claim, const uint32_t *support) {
  for (uint32_t k = 0; k < claim->condition_count; k++) {
    const Obligation *o = obligation_at(l, claim->conditions[k]);
    bool race = obligation_property(o) == PROPERTY_RACE;
    if (o->verdict != VERDICT_SAFE && !(race && support[claim->conditions[k]]))
      return false;
  }
  return true;
}

static bool is_about_races(const Ladder *l, const Pending *p) {
  return obligation_property(obligation_at(l, p->claim.obligation)) == PROPERTY_RACE;
}

static void close_races(Ladder *l) {
  uint32_t *support = mem_alloc_zero((l->obligations->list.len + 1) * sizeof *support);
  uint8_t *fallen = mem_alloc_zero(l->pending.len + 1);
  for (uint32_t i = 0; i < l->pending.len; i++) {
    const Pending *p = &l->pending.data[i];
    fallen[i] = obligation_at(l, p->claim.obligation)->verdict == VERDICT_UNSAFE;
    if (is_about_races(l, p) && !fallen[i]) support[p->claim.obligation]++;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < l->pending.len; i++) {
      const Pending *p = &l->pending.data[i];
      if (fallen[i] || !is_about_races(l, p) || is_supported(l, &p->claim, support))
        continue;
      fallen[i] = 1;
      assert(support[p->claim.obligation]);
      support[p->claim.obligation]--;
      changed = true;
    }
  }
  for (uint32_t i = 0; i < l->pending.len; i++)
    if (!fallen[i] && is_about_races(l, &l->pending.data[i]))
      write_answer(l, &l->pending.data[i]);
  mem_free(fallen);
  mem_free(support);
}

/* Everything else: what a claim depends on must be safe before it. */
static void close_others(Ladder *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < l->pending.len; i++) {
      const Pending *p = &l->pending.data[i];
      bool closed = obligation_is_open(obligation_at(l, p->claim.obligation));
      for (uint32_t k = 0; k < p->claim.condition_count && closed; k++)
        closed = obligation_at(l, p->claim.conditions[k])->verdict == VERDICT_SAFE;
      if (!closed) continue;
      write_answer(l, p);
      changed = true;
    }
  }
}

static void drop_answered(Ladder *l) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->pending.len; i++)
    if (obligation_is_open(obligation_at(l, l->pending.data[i].claim.obligation)))
      l->pending.data[kept++] = l->pending.data[i];
  l->pending.len = kept;
}

static bool has_open_question(const Ladder *l, Property property) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->asked && obligation_is_open(o) && obligation_property(o) == property)
      return true;
  }
  return false;
}

bool ladder_is_undecided(const Ladder *l, Property property) {
  for (uint32_t i = 0; i < l->shown.len; i++) {
    const Finding *f = &l->shown.data[i].finding;
    if (f->property == property && !f->accepted) return false;
  }
  return has_open_question(l, property);
}

/* When no verdict can change any more, what is still open has a part of the time left. */
static void hurry(Ladder *l) {
  if (l->hurries) return;
  for (int p = 0; p < PROPERTY_COUNT; p++)
    if (ladder_is_undecided(l, (Property)p)) return;
  l->hurries = true;
  double end = clock_now() + l->extra;
  if (end < l->deadline) l->deadline = end;
}

/* Claims that would have been believed, had an error not been shown before they were looked at. */
static void find_contradictions(Ladder *l) {
  for (uint32_t i = 0; i < l->pending.len; i++) {
    const Pending *p = &l->pending.data[i];
    const Obligation *o = obligation_at(l, p->claim.obligation);
    bool closed = o->verdict == VERDICT_UNSAFE;
    for (uint32_t k = 0; k < p->claim.condition_count && closed; k++)
      closed = obligation_at(l, p->claim.conditions[k])->verdict == VERDICT_SAFE;
    if (closed) ladder_contradicts(l, p->engine->name, o->engine);
  }
}

static void settle(Ladder *l) {
  evidence_judge(l);
  close_races(l);
  close_others(l);
  find_contradictions(l);
  drop_answered(l);
  hurry(l);
}

/* ---- asking ---- */

static double seconds_for(const Ladder *l, const Engine *engine) {
  double left = l->deadline - clock_now();
  double given = (left > 0 ? left : 0) * engine->share * (l->part ? l->part : 1);
  return l->longest && given > l->longest ? l->longest : given;
}

static EngineContext context_for(Ladder *l, const Engine *engine, uint32_t round) {
  return (EngineContext){.program = l->program,
                         .options = l->options,
                         .analyses = l->analyses,
                         .obligations = l->obligations,
                         .accepted = l->accepted,
                         .arena = l->arena,
                         .deadline = clock_now() + seconds_for(l, engine),
                         .round = round,
                         .stop = l->stop,
                         .log = l->log,
                         .progress = l->progress,
                         .self = engine,
                         .ladder = l};
}

/* A location that races may race in other ways, which are worth knowing as well. */
static bool has_more_to_show(const Ladder *l) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    if (o->verdict == VERDICT_UNSAFE && o->asked && o->suspicion_count > 1) return true;
  }
  return false;
}

bool ladder_has_work(Ladder *l, const Engine *engine, uint32_t round) {
  EngineContext c = context_for(l, engine, round);
  if (engine->tier == TIER_SEARCH && round <= 1 && has_more_to_show(l)) return true;
  bool asked = false; /* other questions are open only because these depend on them */
  for (int p = 0; p < PROPERTY_COUNT; p++)
    asked = asked || has_open_question(l, (Property)p);
  if (!asked) return false;
  for (int p = 0; p < PROPERTY_COUNT; p++)
    if (engine_wants_any(&c, (Property)p)) return true;
  return false;
}

bool ladder_may_prove(const Ladder *l) {
  for (uint32_t i = 0; i < l->obligations->list.len; i++) {
    const Obligation *o = &l->obligations->list.data[i];
    Property p = obligation_property(o);
    if (obligation_is_open(o) &&
        caveat_against_all(&l->analyses->caveats, p) == CAVEAT_COUNT)
      return true;
  }
  return false;
}

EngineEnd ladder_ask(Ladder *l, const Engine *engine, uint32_t round) {
  EngineContext c = context_for(l, engine, round);
  uint32_t wanted = 0;
  double start = clock_now();
  for (uint32_t i = 0; i < l->obligations->list.len; i++) wanted += engine_wants(&c, i);
  EngineEnd end = engine->run(&c);
  assert(end == ENGINE_ENDED || end == ENGINE_CUT);
  for (uint32_t i = 0; i < l->obligations->list.len && wanted; i++)
    if (engine_wants(&c, i))
      obligation_at(l, i)->seconds += (clock_now() - start) / wanted;
  settle(l);
  return end;
}

/* ---- errors ---- */

bool engine_show(EngineContext *c, const Witness *witness) {
  bool shown =
      witness_check(c->program, witness) && show_witness(c->ladder, c->self, witness);
  hurry(c->ladder);
  return shown;
}

/* A plan is worth the same whenever it is offered: who has it may have had a glance only. */
static EngineContext context_of_follower(Ladder *l, const Engine *follower) {
  double part = l->part, longest = l->longest;
  l->part = l->longest = 0;
  EngineContext c = context_for(l, follower, 0);
  l->part = part, l->longest = longest;
  return c;
}

bool engine_offer(EngineContext *c, const Plan *plan) {
  for (const Engine *const *e = c->ladder->followers; *e; e++) {
    if (!(*e)->follow) continue;
    EngineContext other = context_of_follower(c->ladder, *e);
    other.self = c->self; /* whose plan it is */
    if ((*e)->follow(&other, plan)) return true;
  }
  return false;
}
