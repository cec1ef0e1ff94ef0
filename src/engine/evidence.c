/* See evidence.h. */
#include "engine/evidence.h"

#include "base/str.h"

/* ---- the warning that a witness belongs to ---- */

static bool same_pair(const Flow *flow, const Candidate *c, const Witness *w) {
  EdgeId a = flow->accesses.data[c->a].edge, b = flow->accesses.data[c->b].edge;
  return (a == w->edges[0] && b == w->edges[1]) || (a == w->edges[1] && b == w->edges[0]);
}

static const Candidate *find_candidate(const CheckResult *r,
                                       const CandidateVec *candidates, const Flow *flow,
                                       const Witness *w, const Narration *told) {
  const Candidate *best = NULL;
  for (uint32_t i = 0; i < candidates->len; i++) {
    const Candidate *c = &candidates->data[i];
    const Location *place = vec_at(&r->locations, c->location);
    if (!same_pair(flow, c, w) || place->object != told->object) continue;
    if (!best || str_eq(place->name, told->name)) best = c;
  }
  return best;
}

static bool waits_there(const Narration *told, EdgeId edge) {
  for (uint32_t i = 0; i < told->access_count; i++)
    if (told->accesses[i].edge == edge) return true;
  return false;
}

/* A warning of the same deadlock: all its waits are among those that were seen. */
static Finding *find_deadlock(CheckResult *r, const Narration *told) {
  for (uint32_t i = 0; i < r->findings.len; i++) {
    Finding *f = &r->findings.data[i];
    bool fits = f->property == PROPERTY_DEADLOCK && f->verdict == VERDICT_UNKNOWN &&
                f->access_count;
    for (uint32_t k = 0; k < f->access_count && fits; k++)
      fits = waits_there(told, f->accesses[k].edge);
    if (fits) return f;
  }
  return NULL;
}

/* ---- findings ---- */

static LocId declared_at(const Program *p, ObjectId object) {
  return object ? vec_at(&p->objects, object)->loc : 0;
}

static bool is_write(const FoundAccess *a) {
  return str_ends(a->kind, "write") || str_eq(a->kind, "free");
}

static const char *why_race(CheckResult *r, const Finding *f) {
  const FoundAccess *a = &f->accesses[0], *b = &f->accesses[1];
  const char *locks = a->lock_count && b->lock_count ? "they hold different locks"
                      : a->lock_count || b->lock_count
                          ? arena_printf(r->arena, "%s holds no lock",
                                         a->lock_count ? b->thread : a->thread)
                          : "neither holds a lock";
  return arena_printf(r->arena, "%s and %s come to these accesses at the same time: %s",
                      a->thread, b->thread, locks);
}

/* The write first, as in the warnings. */
static void order_accesses(CheckResult *r, Finding *f) {
  if (f->access_count != 2 || is_write(&f->accesses[0]) || !is_write(&f->accesses[1]))
    return;
  FoundAccess *swapped = arena_alloc(r->arena, 2 * sizeof *swapped);
  swapped[0] = f->accesses[1];
  swapped[1] = f->accesses[0];
  f->accesses = swapped;
}

static void fill(Finding *f, const Narration *told, const Witness *w) {
  f->verdict = VERDICT_UNSAFE;
  f->evidence = EVIDENCE_FEASIBLE;
  f->engine = w->engine ? w->engine : "hunt";
  f->accesses = told->accesses;
  f->access_count = told->access_count;
  f->steps = told->steps;
  f->step_count = told->step_count;
  f->why = told->why;
  f->fix = told->fix;
  f->rank = 0;
}

static Finding *new_finding(CheckResult *r, Property property, const Narration *told) {
  Finding fresh = {.property = property,
                   .name = told->name,
                   .loc = declared_at(r->program, told->object)};
  vec_push(&r->findings, fresh);
  return vec_last(&r->findings);
}

static void add_race(CheckResult *r, const CandidateVec *candidates, const Flow *flow,
                     const Witness *w, const Narration *told) {
  const Candidate *c = find_candidate(r, candidates, flow, w, told);
  if (c) {
    Location *place = vec_at(&r->locations, c->location);
    place->verdict = VERDICT_UNSAFE;
    place->reason = REASON_RACE;
    place->engine = w->engine ? w->engine : "hunt";
  }
  Finding *f = c ? vec_at(&r->findings, c->finding) : new_finding(r, PROPERTY_RACE, told);
  fill(f, told, w);
  order_accesses(r, f);
  f->why = why_race(r, f);
}

void evidence_add(CheckResult *r, const CandidateVec *candidates, const Flow *flow,
                  const Witness *w) {
  Narration told = {0};
  if (!narrate(r->program, w, r->arena, &told)) return;
  Finding *f;
  switch (w->kind) {
  case WITNESS_NONE: break;
  case WITNESS_RACE: add_race(r, candidates, flow, w, &told); break;
  case WITNESS_DEADLOCK:
    f = find_deadlock(r, &told);
    f = f ? f : new_finding(r, PROPERTY_DEADLOCK, &told);
    f->loc = declared_at(r->program, told.object);
    f->name = told.name;
    fill(f, &told, w);
    break;
  case WITNESS_ASSERT:
    f = new_finding(r, PROPERTY_ASSERT, &told);
    f->loc = program_edge(r->program, w->edge)->loc;
    fill(f, &told, w);
    break;
  }
}

/* ---- advice ---- */

static const char *place_text(const Program *p, const FoundAccess *a, Arena *arena) {
  const Loc *loc = a->edge ? &p->locs.data[program_edge(p, a->edge)->loc] : NULL;
  if (!loc || !loc->line) return a->thread;
  return arena_printf(arena, "%s:%u", sym_text(p, loc->file), loc->line);
}

const char *advise_race(const Program *p, const FoundAccess accesses[2], const char *name,
                        Arena *arena) {
  const FoundAccess *a = &accesses[0], *b = &accesses[1];
  if (str_eq(a->kind, "free") || str_eq(b->kind, "free"))
    return arena_printf(arena,
                        "join or otherwise await the threads that use %s before it is "
                        "freed",
                        name);
  if (a->lock_count && b->lock_count && str_eq(a->locks[0], b->locks[0]))
    return arena_printf(arena,
                        "make sure that %s is one and the same lock at both accesses",
                        a->locks[0]);
  if (a->lock_count && b->lock_count)
    return arena_printf(arena, "hold the same lock at both accesses: %s, or %s",
                        a->locks[0], b->locks[0]);
  if (a->lock_count || b->lock_count) {
    const FoundAccess *with = a->lock_count ? a : b, *without = a->lock_count ? b : a;
    return arena_printf(arena, "hold %s at %s as well", with->locks[0],
                        place_text(p, without, arena));
  }
  if (str_starts(a->kind, "atomic") || str_starts(b->kind, "atomic"))
    return "make both accesses atomic";
  return arena_printf(arena, "hold one mutex at every access to %s, or make it atomic",
                      name);
}
