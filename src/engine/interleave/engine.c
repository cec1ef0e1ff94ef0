/* The interleave engine as the ladder sees it. The way to an error of the abstract machine is
 * offered as a plan; what nobody could follow is told with the value that it rests on. An object that races in some interleaving is given
 * up: its contents may be anything from then on, and the others are explored without it. Deadlocks
 * come second: without races they are easier. */
#include "engine/interleave/interleave.h"
#include "engine/sliced.h"

enum {
  MOST_RACY = 16,
  MOST_VAIN =
      3, /* paths that nobody could follow: then no more are offered, they take time */
};

static const char *objection(const EngineContext *c, const Obligation *o) {
  (void)o;
  return analyses_pointsto(c->analyses) ? NULL : "nothing is known about pointers";
}

static InterleaveAnswer explore(EngineContext *c, const OpenObjects *open,
                                bool deadlocks) {
  Sliced sliced = {0};
  const Program *program =
      deadlocks ? c->program : sliced_program(c, open, true, &sliced);
  const uint8_t *settled = interleave_settled(analyses_flow(c->analyses), c->arena);
  InterleaveQuestion question = {.program = program,
                                 .pointsto = analyses_pointsto(c->analyses),
                                 .watched = open->watched,
                                 .havocked = open->racy,
                                 .settled = settled,
                                 .deadlocks = deadlocks,
                                 .unlock_any = c->options->unlock_any,
                                 .no_reduction = c->options->no_reduction,
                                 .threads = c->options->threads,
                                 .seconds = engine_seconds_left(c),
                                 .stop = c->stop,
                                 .progress = c->progress};
  InterleaveAnswer answer;
  interleave_run(&question, c->arena, &answer);
  sliced_free(&sliced);
  log_put(c->log, LOG_INFO,
          "interleave: %llu states, %llu steps, %llu states with one thread moving, %s",
          (unsigned long long)answer.states, (unsigned long long)answer.steps,
          (unsigned long long)answer.reduced,
          answer.reason ? answer.reason
          : deadlocks   ? "no deadlock"
                        : "no race");
  return answer;
}

static const char *with_lost(EngineContext *c, const char *why,
                             const InterleavePath *path) {
  return path->lost ? arena_printf(c->arena, "%s; %s", why, path->lost) : why;
}

/* A race or a deadlock of the abstract machine. True: it is one of the program. `vain` counts those
 * that are not. */
static bool offer_path(EngineContext *c, const InterleavePath *path, uint32_t *vain) {
  if (!path->found || *vain >= MOST_VAIN) return false;
  bool shown = engine_offer(c, &path->plan) ||
               (path->whole.step_count && engine_offer(c, &path->whole));
  *vain += !shown;
  return shown;
}

/* Until no further object races, or something else ends the search. */
static InterleaveAnswer explore_all(EngineContext *c, OpenObjects *open, bool deadlocks) {
  InterleaveAnswer answer = {.reason = "there was no time for it"};
  uint32_t vain = 0;
  for (int n = 0; n < MOST_RACY && !engine_is_over(c); n++) {
    InterleaveAnswer next = explore(c, open, deadlocks);
    if (!offer_path(c, &next.path, &vain) && next.reason)
      next.reason = with_lost(c, next.reason, &next.path);
    if (n == 0 || !next.reason) answer = next;
    if (next.reason && n == 0)
      for (int p = 0; p < PROPERTY_COUNT; p++)
        if (deadlocks == (p == PROPERTY_DEADLOCK))
          engine_tell_limit(c, (Property)p, next.reason);
    if (!next.object || open->racy[next.object]) break;
    open_objects_give_up(open, next.object);
  }
  return answer;
}

static bool may_fail(const InterleaveAnswer *answer, EdgeId edge) {
  for (uint32_t i = 0; i < answer->failed_count; i++)
    if (answer->failed[i] == edge) return true;
  return false;
}

static void claim_operations(EngineContext *c, ObligationKind kind,
                             const InterleaveAnswer *answer) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind != kind || !engine_wants(c, i) || may_fail(answer, o->edge)) continue;
    engine_claim(
        c, &(Claim){.obligation = i, .verdict = VERDICT_SAFE, .proof = PROOF_STATES});
  }
}

/* Assertions that fail in the abstract machine: in the program as well, or the reason why not. */
static void offer_failures(EngineContext *c, const InterleaveAnswer *answer) {
  uint32_t vain = 0;
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    for (uint32_t k = 0; k < answer->failed_count; k++) {
      if (o->kind != OBLIGATION_ASSERTION || o->edge != answer->failed[k]) continue;
      const InterleavePath *path = &answer->failing[k];
      if (!engine_wants(c, i) || offer_path(c, path, &vain) || !answer->race_free)
        continue;
      SourcePlace place = place_of_edge(c->program, o->edge);
      const char *why = arena_printf(c->arena, "the assertion at %s:%u may fail",
                                     place.file, place.line);
      engine_tell_limit(c, PROPERTY_ASSERT, with_lost(c, why, path));
    }
  }
}

static EngineEnd run(EngineContext *c) {
  bool waits = engine_wants_any(c, PROPERTY_DEADLOCK);
  bool asserts = engine_wants_any(c, PROPERTY_ASSERT);
  bool races = engine_wants_any(c, PROPERTY_RACE);
  OpenObjects open = open_objects(c);
  bool explored = !races; /* without races, or with what they spoil given up */
  progress_phase(c->progress, "interleavings", 0);
  if (races || asserts) {
    InterleaveAnswer answer = explore_all(c, &open, false);
    explored = answer.race_free || answer.object;
    if (answer.race_free) open_objects_claim(c, &open, PROOF_STATES);
    if (answer.race_free) claim_operations(c, OBLIGATION_ASSERTION, &answer);
    offer_failures(c, &answer);
    if (waits && !explored && answer.reason)
      engine_tell_limit(c, PROPERTY_DEADLOCK, answer.reason);
  }
  if (waits && explored) {
    InterleaveAnswer answer = explore_all(c, &open, true);
    if (answer.deadlock_free) claim_operations(c, OBLIGATION_WAIT, &answer);
  }
  open_objects_free(&open);
  return engine_is_over(c) ? ENGINE_CUT : ENGINE_ENDED;
}

const Engine engine_interleave = {
    .name = "interleave",
    .summary = "all interleavings of an abstract machine",
    .tier = TIER_EXPLORE,
    .share = 0.5,
    .rests = ON_STATES,
    .objection = objection,
    .run = run,
};
