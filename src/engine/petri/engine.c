/* The Petri net engine as the ladder sees it. Runs of a net whose target is covered are offered as
 * plans. An object whose accesses the net does not keep apart is given up, and so is an assertion
 * that it does not keep from failing; the next net does without it.
 *
 * Races come first, then assertions. That one holds is claimed on condition that nothing races but
 * what was given up: the net has the values of variables that no race has changed. */
#include "engine/petri/petri.h"

#include "analysis/pair.h"
#include "base/mem.h"
#include "engine/sliced.h"

enum { MOST_GIVEN_UP = 16 };

typedef struct {
  EngineContext *context;
  OpenObjects open;
  uint8_t
      *asserts; /* by edge: asked about, and not given up; NULL: races are asked about */
} Questions;

static const char *objection(const EngineContext *c, const Obligation *o) {
  const Flow *flow = analyses_flow(c->analyses);
  if (obligation_property(o) == PROPERTY_DEADLOCK)
    return "nets are not asked about deadlocks";
  return flow && flow->complete ? NULL : "the analysis did not come to an end";
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
  if (net->assertion) {
    plan.target = TARGET_ASSERTION;
    plan.edges[0] = net->assertion;
  }
  return plan.edges[0] && (net->assertion || plan.edges[1]) && engine_offer(c, &plan);
}

static PetriAnswer ask(const Questions *q) {
  EngineContext *c = q->context;
  Sliced sliced;
  PetriQuestion question = {.program = sliced_program(c, &q->open, q->asserts, &sliced),
                            .pointsto = analyses_pointsto(c->analyses),
                            .flow = analyses_flow(c->analyses),
                            .conflict = pair_may_meet,
                            .watched = q->open.watched,
                            .racy = q->open.racy,
                            .asserts = q->asserts,
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
          answer.reason ? answer.reason : "no error, with any number of threads");
  return answer;
}

/* ---- assertions ---- */

static void find_assertions(Questions *q) {
  EngineContext *c = q->context;
  q->asserts = mem_alloc_zero(c->program->edges.len + 1);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind == OBLIGATION_ASSERTION && engine_wants(c, i)) q->asserts[o->edge] = 1;
  }
}

static bool is_given_up(const Questions *q, const Obligation *o) {
  const PointsTo *pointsto = analyses_pointsto(q->context->analyses);
  return o->kind == OBLIGATION_LOCATION &&
         q->open.racy[pointsto_object(pointsto, o->object)];
}

static void claim_assertions(const Questions *q) {
  EngineContext *c = q->context;
  const Obligations *all = c->obligations;
  uint32_t *races = arena_alloc(c->arena, (all->list.len + 1) * sizeof *races);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->list.len; i++)
    if (obligation_property(&all->list.data[i]) == PROPERTY_RACE &&
        !is_given_up(q, &all->list.data[i]))
      races[count++] = i;
  for (uint32_t i = 0; i < all->list.len; i++) {
    const Obligation *o = &all->list.data[i];
    if (o->kind != OBLIGATION_ASSERTION || !q->asserts[o->edge]) continue;
    engine_claim(c, &(Claim){.obligation = i,
                             .verdict = VERDICT_SAFE,
                             .proof = PROOF_NET,
                             .conditions = races,
                             .condition_count = count});
  }
}

/* ---- the whole ---- */

static bool has_questions(const Questions *q) {
  const Program *p = q->context->program;
  if (q->asserts) return memchr(q->asserts, 1, p->edges.len);
  return !q->open.watched || memchr(q->open.watched, 1, p->objects.len);
}

/* What the net could not exclude is left out of the next; false: that is not known. */
static bool give_up(Questions *q, const PetriAnswer *answer) {
  EngineContext *c = q->context;
  if (q->asserts) {
    bool asked = answer->assertion && q->asserts[answer->assertion];
    if (asked) q->asserts[answer->assertion] = 0;
    return asked;
  }
  ObjectId racy = answer->edges[0] ? open_objects_of_pair(c, answer->edges) : 0;
  if (!racy || !q->open.watched || q->open.racy[racy]) return false;
  open_objects_give_up(&q->open, racy);
  return true;
}

/* Until everything left is proved, or nothing can be left out any more. */
static void ask_all(Questions *q) {
  EngineContext *c = q->context;
  Property property = q->asserts ? PROPERTY_ASSERT : PROPERTY_RACE;
  for (int n = 0; n < MOST_GIVEN_UP && has_questions(q) && !engine_is_over(c); n++) {
    PetriAnswer answer = ask(q);
    if (answer.race_free && q->asserts)
      claim_assertions(q);
    else if (answer.race_free)
      open_objects_claim(c, &q->open, PROOF_NET);
    if (n == 0 && answer.reason) engine_tell_limit(c, property, answer.reason);
    if (answer.race_free || !give_up(q, &answer)) break;
  }
}

static EngineEnd run(EngineContext *c) {
  Questions q = {.context = c, .open = open_objects(c)};
  progress_phase(c->progress, "any number of threads", 0);
  if (engine_wants_any(c, PROPERTY_RACE)) ask_all(&q);
  if (engine_wants_any(c, PROPERTY_ASSERT)) {
    mem_free(q.open.watched); /* that nothing else races is a condition */
    q.open.watched = mem_alloc_zero(c->program->objects.len + 1);
    find_assertions(&q);
    ask_all(&q);
  }
  mem_free(q.asserts);
  open_objects_free(&q.open);
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
