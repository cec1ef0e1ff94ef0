/* The Petri net engine as the ladder sees it. Runs of a net whose target is covered are offered as
 * plans. An object whose accesses the net does not keep apart is given up, and the next net does
 * without it. */
#include "engine/petri/petri.h"

#include "analysis/pair.h"
#include "engine/sliced.h"

enum { MOST_RACY = 16 };

static const char *objection(const EngineContext *c, const Obligation *o) {
  const Flow *flow = analyses_flow(c->analyses);
  if (obligation_property(o) != PROPERTY_RACE) return "nets are asked about races only";
  return flow && flow->complete ? NULL : "the analysis did not come to an end";
}

/* What keeps the two apart, if anything, is neither a lock nor an order. */
static bool may_conflict(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  switch (pair_decide(flow, a, b)) {
  case PAIR_APART:
  case PAIR_ATOMIC:
  case PAIR_OWN: return false;
  case PAIR_RACES:
  case PAIR_ORDERED:
  case PAIR_GUARDED: return true;
  }
  return true;
}

/* The run of a net whose target is covered may be one of the program. */
static bool offer(void *user, const PetriAnswer *net) {
  EngineContext *c = user;
  Plan plan = {.steps = net->steps,
               .step_count = net->step_count,
               .threads = {net->racers[0], net->racers[1]},
               .edges = {net->edges[0], net->edges[1]},
               .all_threads = net->threads,
               .least = net->least};
  return net->edges[0] && net->edges[1] && engine_offer(c, &plan);
}

static PetriAnswer ask(EngineContext *c, const OpenObjects *open) {
  Sliced sliced;
  PetriQuestion question = {.program = sliced_program(c, open, false, &sliced),
                            .pointsto = analyses_pointsto(c->analyses),
                            .flow = analyses_flow(c->analyses),
                            .conflict = may_conflict,
                            .watched = open->watched,
                            .racy = open->racy,
                            .seconds = engine_seconds_left(c),
                            .stop = c->stop,
                            .progress = c->progress,
                            .log = c->log,
                            .certificate = c->options->certificate,
                            .follow = offer,
                            .user = c};
  PetriAnswer answer;
  petri_run(&question, c->arena, &answer);
  sliced_free(&sliced);
  if (c->options->ret_certified && answer.written) *c->options->ret_certified = true;
  log_put(c->log, LOG_INFO, "petri: %s",
          answer.reason ? answer.reason : "no race, with any number of threads");
  return answer;
}

static EngineEnd run(EngineContext *c) {
  OpenObjects open = open_objects(c);
  progress_phase(c->progress, "any number of threads", 0);
  for (int n = 0; n < MOST_RACY && !engine_is_over(c); n++) {
    PetriAnswer answer = ask(c, &open);
    if (answer.race_free) open_objects_claim(c, &open, PROOF_NET);
    if (n == 0 && answer.reason) engine_tell_limit(c, PROPERTY_RACE, answer.reason);
    ObjectId racy = answer.edges[0] ? open_objects_of_pair(c, answer.edges) : 0;
    if (answer.race_free || !racy || !open.watched || open.racy[racy]) break;
    open_objects_give_up(&open, racy);
    if (!memchr(open.watched, 1, c->program->objects.len)) break;
  }
  open_objects_free(&open);
  return engine_is_over(c) ? ENGINE_CUT : ENGINE_ENDED;
}

const Engine engine_petri = {
    .name = "petri",
    .summary = "coverability of a Petri net, for any number of threads",
    .tier = TIER_EXPLORE,
    .share = 0.5,
    .rests = ON_FLOW | ON_NETS,
    .unbounded = true,
    .objection = objection,
    .run = run,
};
