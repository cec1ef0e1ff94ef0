/* The hunt as the ladder sees it: it proves nothing, accepts everything, takes the time that is
 * left, and follows the plans of others. */
#include "base/clock.h"
#include "engine/suspects.h"

/* The part of the time that one plan may take. */
static const double PLAN_SHARE = 0.1;
/* … and a glance. */
static const double GLANCE_SHARE = 0.05;

static const char *objection(const EngineContext *c, const Obligation *o) {
  (void)c, (void)o;
  return NULL;
}

static bool follow(EngineContext *c, const Plan *plan) {
  Witness witness;
  Guide guide = {.program = c->program,
                 .plan = plan,
                 .unlock_any = c->options->unlock_any,
                 .seconds = engine_seconds_left(c) * PLAN_SHARE,
                 .stop = c->stop};
  if (!hunt_along(&guide, &witness)) return false;
  bool shown = engine_show(c, &witness);
  if (shown)
    log_put(c->log, LOG_INFO, "%s: the plan is one of the program, %llu threads%s",
            c->self->name, (unsigned long long)plan->all_threads,
            plan->least ? " (the least)" : "");
  witness_free(&witness);
  return shown;
}

/* A glance, then more and more runs, which are not those of the rounds before. */
static void choose_runs(uint32_t round, HuntRequest *request) {
  static const uint64_t GLANCE = 24, FIRST = 400, GROWTH = 4;
  request->run_count = GLANCE;
  for (uint32_t i = 0; i < round; i++) {
    request->first_run += request->run_count;
    request->run_count = i ? request->run_count * GROWTH : FIRST;
  }
}

/* Telling of an error takes a few runs along its schedule. When all time is over, what can be
 * told at once still is. */
static void show_all(EngineContext *c, WitnessVec *witnesses) {
  static const double GRACE = 0.5;
  double over = 0; /* since when the time is */
  uint32_t untold = 0;
  for (uint32_t i = 0; i < witnesses->len; i++) {
    if (!over && c->stop && *c->stop) over = clock_now();
    if (over && clock_now() > over + GRACE)
      untold++;
    else
      engine_show(c, &witnesses->data[i]);
    witness_free(&witnesses->data[i]);
  }
  if (untold)
    log_put(c->log, LOG_INFO, "the time was over before %u of them were told", untold);
}

/* A run has shown it, so nobody can say what the program does behind it. */
static void note_misuse(EngineContext *c, const Misuse *misuse) {
  Caveats *caveats = &c->analyses->caveats;
  if (caveats->state[CAVEAT_UNDEFINED_CALL] == CAVEAT_PRESENT) return;
  caveat_note(caveats, CAVEAT_UNDEFINED_CALL, true, misuse->edge);
  caveats->text[CAVEAT_UNDEFINED_CALL] =
      arena_printf(c->arena, "has undefined behaviour: it %s", misuse->what);
}

/* The program does something with locks that POSIX leaves undefined, or lets writers go first: what
 * comes of it depends on who sleeps before a lock, and on the C library. */
static bool depends_on_sleep(const EngineContext *c) {
  static const CaveatId ids[] = {CAVEAT_FOREIGN_UNLOCK, CAVEAT_LOCK_RENEWED,
                                 CAVEAT_WRITERS_FIRST, CAVEAT_UNDEFINED_CALL};
  for (uint32_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (c->analyses->caveats.state[ids[i]] == CAVEAT_PRESENT) return true;
  return false;
}

static EngineEnd run(EngineContext *c) {
  HuntPairs pairs = {0};
  suspects_collect(c, true, &pairs);
  HuntRequest request = {
      .program = c->program,
      .pairs = pairs.data,
      .pair_count = pairs.len,
      .races = pairs.len > 0,
      .deadlocks = engine_wants_any(c, PROPERTY_DEADLOCK),
      .asserts = engine_wants_any(c, PROPERTY_ASSERT),
      .unlock_any = c->options->unlock_any,
      .glibc = depends_on_sleep(c),
      .lacks = {[WITNESS_RACE] = engine_lacks_error(c, PROPERTY_RACE),
                [WITNESS_DEADLOCK] = engine_lacks_error(c, PROPERTY_DEADLOCK),
                [WITNESS_ASSERT] = engine_lacks_error(c, PROPERTY_ASSERT)},
      .seconds = engine_seconds_left(c),
      .extra = engine_seconds_after_errors(c),
      .stop = c->stop};
  choose_runs(c->round, &request);
  if (c->round == 0) request.seconds *= GLANCE_SHARE;
  WitnessVec witnesses = {0};
  Misuse misuse = {0};
  request.ret_misuse = &misuse;
  if ((request.races || request.deadlocks || request.asserts) && request.seconds > 0) {
    progress_phase(c->progress, "looking for evidence", 0);
    hunt(&request, &witnesses);
    log_put(c->log, LOG_INFO, "the hunt found %u errors", witnesses.len);
  }
  show_all(c, &witnesses);
  if (misuse.edge) note_misuse(c, &misuse);
  vec_free(&witnesses);
  vec_free(&pairs);
  return ENGINE_CUT;
}

const Engine engine_hunt = {
    .name = "hunt",
    .summary = "runs of the model, towards what is suspected",
    .tier = TIER_SEARCH,
    .share = 0.5,
    .rests = ON_ANYTHING,
    .objection = objection,
    .run = run,
    .follow = follow,
};
