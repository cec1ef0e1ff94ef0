/* The lock set engine as the ladder sees it: whole programs, cheap, always first. */
#include "engine/lockset/lockset.h"

static const char *objection(const EngineContext *c, const Obligation *o) {
  (void)c;
  return o->kind == OBLIGATION_ASSERTION ? "lock sets know nothing of assertions" : NULL;
}

static EngineEnd run(EngineContext *c) {
  const Flow *flow = analyses_flow(c->analyses);
  if (!flow || !flow->complete) {
    const char *why = flow ? flow->incomplete : NULL;
    for (int p = 0; p < PROPERTY_COUNT && why; p++)
      if (engine_wants_any(c, (Property)p)) engine_tell_limit(c, (Property)p, why);
    return ENGINE_ENDED;
  }
  progress_phase(c->progress, "lock sets", 0);
  lockset_check_races(c, flow);
  if (engine_wants_any(c, PROPERTY_DEADLOCK)) lockset_check_deadlocks(c, flow);
  if (flow_stopped(flow)) engine_tell_limit(c, PROPERTY_RACE, "time ran out");
  return ENGINE_ENDED;
}

const Engine engine_lockset = {
    .name = "lockset",
    .summary = "locks and orders that keep accesses apart, in the whole program",
    .tier = TIER_FACTS,
    .share = 1,
    .rests = ON_FLOW | ON_LOCKS,
    .objection = objection,
    .run = run,
};
