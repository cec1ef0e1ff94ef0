/* See check.h. Reads as policy: collect, ask from cheap to dear, tell. */
#include "engine/check.h"

#include "base/clock.h"
#include "engine/accept.h"
#include "engine/collect.h"
#include "engine/pointer_limits.h"
#include "engine/registry.h"
#include "engine/tell.h"
#include "engine/undefined.h"
#include "engine/undescribed.h"

#include <assert.h>

/* Of engines that could go on for ever. */
enum { MOST_ROUNDS = 4 };
/* The part of its share that an engine gets for a look between the others, */
static const double LOOK = 0.25;
/* … and, if it explores, before anybody gets all of it: what is hard for one is often easy for the
 * next, and little is lost where it is not. At most so many seconds. */
static const double GLANCE = 0.1, LONGEST_GLANCE = 2;
/* … and, if it searches, before the dear ones begin: most errors that take longer than a glance show here,
 * and proofs wait no longer than that. */
static const double LONGEST_LOOK = 1.5;
/* The part of the time for more errors, and for proofs of single variables, when no verdict can
 * change any more. */
static const double AFTER_ERRORS = 0.25;

static bool has_many_threads(const Ladder *l) {
  const Flow *flow = l->analyses->flow;
  for (uint32_t i = 0; flow && i < flow->threads.len; i++)
    if (flow->threads.data[i].many) return true;
  return false;
}

/* One turn for the engines of a tier that have something to do. `ended` has those, by their place
 * in the list, for whom more time would not help. */
static void ask_tier(Ladder *l, EngineTier tier, bool unbounded, uint32_t round,
                     uint64_t *ended) {
  for (uint32_t i = 0; l->engines[i] && !ladder_is_over(l); i++) {
    const Engine *e = l->engines[i];
    assert(i < 64); /* bits of `ended` */
    if (e->tier != tier || (tier == TIER_EXPLORE && e->unbounded != unbounded)) continue;
    if ((*ended >> i & 1) || !ladder_has_work(l, e, round)) continue;
    if (ladder_ask(l, e, round) == ENGINE_ENDED) *ended |= UINT64_C(1) << i;
  }
}

static bool is_asked(const Ladder *l, const Engine *engine) {
  for (const Engine *const *e = l->engines; *e; e++)
    if (*e == engine) return true;
  return false;
}

/* Whoever suspects something directs those who look for errors, asked to answer or not. */
static void direct(Ladder *l) {
  l->deaf = true;
  for (const Engine *const *e = l->followers; *e && !ladder_is_over(l); e++)
    if ((*e)->tier == TIER_FACTS && !is_asked(l, *e)) ladder_ask(l, *e, 0);
  l->deaf = false;
}

/* Threads without bound are first for those who answer for any number; with a bound, exploring
 * them one by one says more. Who could not answer at once may take all the time that is left, so
 * errors are looked for in between. What no proof may answer gets one round, for the errors in it. */
static void climb(Ladder *l) {
  uint64_t ended = 0;
  direct(l);
  ask_tier(l, TIER_FACTS, false, 0, &ended);
  ask_tier(l, TIER_SEARCH, false, 0, &ended); /* a glance: errors that show at once */
  bool many = has_many_threads(l);
  l->part = GLANCE, l->longest = LONGEST_GLANCE;
  ask_tier(l, TIER_EXPLORE, many, 0, &ended);
  ask_tier(l, TIER_EXPLORE, !many, 0, &ended);
  uint32_t looks = 1;
  l->part = LOOK, l->longest = LONGEST_LOOK;
  ask_tier(l, TIER_SEARCH, false, looks++, &ended);
  l->part = l->longest = 0;
  for (uint32_t round = 0; round < MOST_ROUNDS && !ladder_is_over(l); round++) {
    ask_tier(l, TIER_EXPLORE, many, round, &ended);
    l->part = LOOK;
    if (round == 0) ask_tier(l, TIER_SEARCH, false, looks++, &ended);
    l->part = 0;
    ask_tier(l, TIER_EXPLORE, !many, round, &ended);
    if (looks <= MOST_ROUNDS + 1) ask_tier(l, TIER_SEARCH, false, looks++, &ended);
    if (!ladder_may_prove(l)) break;
  }
}

bool check_run(const Program *program, const CheckRequest *request, CheckResult *result,
               Err *err) {
  if (!program->main)
    return err_input(err, NULL,
                     "give all the files of the program, or say with --entry f,g* which "
                     "functions run as threads",
                     "the program has no function main");
  result_init(result, program);
  for (int p = 0; p < PROPERTY_COUNT; p++) result->asked[p] = request->properties[p];
  result->wants_accesses = request->accesses;
  accept_by_comments(program, &result->accepted);
  accept_by_rules(program, &result->accepted);
  Analyses analyses = {.program = program,
                       .arena = result->arena,
                       .strict = request->strict,
                       .unlock_any = request->options.unlock_any,
                       .stop = request->stop,
                       .log = request->log,
                       .progress = request->progress};
  Obligations obligations;
  Ladder ladder = {.program = program,
                   .engines = request->engines,
                   .followers = engine_registry,
                   .options = &request->options,
                   .accepted = &result->accepted,
                   .analyses = &analyses,
                   .obligations = &obligations,
                   .arena = result->arena,
                   .routes = request->routes,
                   .deadline = clock_now() + request->seconds,
                   .extra = request->seconds * AFTER_ERRORS,
                   .stop = request->stop,
                   .log = request->log,
                   .progress = request->progress};
  collect_obligations(&analyses, result->asked, &result->accepted, &obligations);
  log_put(request->log, LOG_INFO, "%u obligations", obligations.list.len);
  climb(&ladder);
  tell_result(&ladder, result);
  pointer_limits_list(analyses_pointsto(&analyses), result);
  undefined_tell(&analyses, result);
  undescribed_tell(&analyses, &obligations, result);
  progress_end(request->progress);
  ladder_free(&ladder);
  obligations_free(&obligations);
  analyses_free(&analyses);
  return true;
}
