/* See check.h. Reads as policy: analyse, ask the engines from cheap to dear, conclude. */
#include "engine/check.h"

#include "engine/accept.h"
#include "engine/evidence.h"
#include "engine/foreign.h"
#include "engine/lockset/certify.h"
#include "engine/interleave/interleave.h"
#include "engine/lockset/lockset.h"
#include "engine/lockset/pair.h"
#include "engine/petri/petri.h"
#include "proof/proof.h"

#include <time.h>

/* The part of the time that is left which the interleave engine may use. */
static const double INTERLEAVE_SHARE = 0.5;
/* … and the Petri net engine. */
static const double PETRI_SHARE = 0.5;
/* … and the attempt to follow its run. */
static const double GUIDE_SHARE = 0.1;

typedef struct {
  const Program *program;
  const CheckRequest *request;
  CheckResult *result;
  double deadline;
  PointsTo *pointsto; /* NULL: there was no time for it */
  Flow *flow;         /* or NULL */
  CandidateVec candidates;
  bool blocks;  /* a thread may have to wait for another */
  bool asserts; /* there are assertions that may fail */
  bool race_free; /* proved, whether it was asked for or not */
  const char *unexplored[PROPERTY_COUNT]; /* why the interleave engine proved nothing, or
                                             NULL */
  PetriAnswer net; /* what the Petri net engine said; zero if it was not asked */
} Check;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool stopped(const Check *c) {
  return c->request->stop && *c->request->stop;
}

static bool is_open(const Check *c, Property p) {
  return c->result->asked[p] && c->result->verdicts[p] == VERDICT_UNKNOWN;
}

/* ---- what the program contains at all ---- */

static bool may_run(const Check *c, FuncId f) {
  return !c->pointsto || pointsto_is_reachable(c->pointsto, f);
}

static bool is_blocking(const Check *c, const Edge *e, EdgeId id) {
  switch ((OpKind)e->op) {
  case OP_LOCK:
  case OP_WAIT:
  case OP_BARRIER_WAIT:
  case OP_SEM_WAIT:
  case OP_JOIN:
  case OP_ONCE: return true;
  case OP_CALL: return !c->pointsto || pointsto_calls_unknown(c->pointsto, id);
  default: return false;
  }
}

static bool may_fail(const Program *p, const Edge *e) {
  if (e->op != OP_ASSERT) return false;
  const Expr *condition = program_expr(p, e->a);
  return condition->kind != EXPR_CONST || condition->value == 0;
}

static void survey(Check *c) {
  const Program *p = c->program;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !may_run(c, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      EdgeId id = function->first_edge + i;
      const Edge *e = program_edge(p, id);
      c->blocks = c->blocks || is_blocking(c, e, id);
      c->asserts = c->asserts || may_fail(p, e);
    }
  }
}

/* ---- the steps ---- */

static void analyse(Check *c) {
  const CheckResult *r = c->result;
  progress_phase(c->request->progress, "points-to", 0);
  c->pointsto = pointsto_new(c->program, c->request->stop);
  survey(c);
  if (!c->pointsto || !(r->asked[PROPERTY_RACE] || r->asked[PROPERTY_DEADLOCK])) return;
  progress_phase(c->request->progress, "threads and locks", 0);
  c->flow = flow_new(c->program, c->pointsto, c->request->stop);
  if (c->flow && c->request->unlock_any)
    log_put(c->request->log, LOG_INFO, "%u releases of locks that others may hold",
            foreign_drop_locks(c->flow));
}

/* What follows from the mere absence of operations. */
static void settle_trivial(Check *c) {
  CheckResult *r = c->result;
  if (r->asked[PROPERTY_DEADLOCK] && !c->blocks)
    r->verdicts[PROPERTY_DEADLOCK] = VERDICT_SAFE;
  if (r->asked[PROPERTY_ASSERT] && !c->asserts)
    r->verdicts[PROPERTY_ASSERT] = VERDICT_SAFE;
}

static void log_proof(Check *c, const ProofResult *proof, double seconds) {
  const Log *log = c->request->log;
  const char *said = proof->accepted ? "accepted" : proof->stopped ? "not finished" : "rejected";
  log_put(log, LOG_INFO, "certificate %s: %u steps, %u accesses, %u pairs, %.3f s", said,
          proof->steps, proof->accesses, proof->pairs, seconds);
  for (uint32_t i = 0; i < proof->rejections.len; i++) {
    const Rejection *x = &proof->rejections.data[i];
    const Loc *loc = &c->program->locs.data[x->edge ? program_edge(c->program, x->edge)->loc : 0];
    log_put(log, i ? LOG_INFO : LOG_ERROR, "the certificate is not accepted: line %u: %s",
            loc->line, x->what);
  }
}

/* What the lock set engine says does not count: what it excludes is open again. */
static void distrust(Check *c, const ProofResult *proof) {
  CheckResult *r = c->result;
  for (uint32_t i = 0; i < r->locations.len; i++) {
    Location *l = &r->locations.data[i];
    if (l->verdict != VERDICT_SAFE) continue;
    l->verdict = VERDICT_UNKNOWN;
    l->reason = REASON_UNDECIDED;
  }
  r->verdicts[PROPERTY_RACE] = VERDICT_UNKNOWN;
  r->unknown_because[PROPERTY_RACE] =
      proof->stopped ? "the time was over before the certificate of the proof was checked"
                     : "the certificate of the proof was not accepted: please report this";
}

/* The proof as plain data, and what its checker says to it. Nobody sees `safe`, of the
 * program or of one location, that it did not accept. */
static void check_certificate(Check *c) {
  CheckResult *r = c->result;
  if (!c->flow->complete || r->unknown_because[PROPERTY_RACE]) return; /* nothing is claimed */
  uint8_t *open = mem_alloc_zero(c->program->objects.len + 1);
  for (uint32_t i = 0; i < r->locations.len; i++) { /* 0 stands for all without a name */
    const Location *l = &r->locations.data[i];
    if (l->verdict != VERDICT_SAFE || l->reason == REASON_ACCEPTED) open[l->object] = 1;
  }
  Certificate certificate;
  ProofResult proof;
  double start = now();
  progress_phase(c->request->progress, "certificate", 0);
  lockset_certify(c->flow, &certificate);
  ProofQuestion question = {.program = c->program,
                            .pointsto = c->pointsto,
                            .certificate = &certificate,
                            .accepted_edges = &r->accepted,
                            .open = open,
                            .stop = c->request->stop};
  proof_check(&question, r->arena, &proof);
  log_proof(c, &proof, now() - start);
  r->certificate = proof.accepted  ? CERTIFICATE_CHECKED
                   : proof.stopped ? CERTIFICATE_NONE
                                   : CERTIFICATE_REJECTED;
  if (!proof.accepted) distrust(c, &proof);
  proof_result_free(&proof);
  certificate_free(&certificate);
  mem_free(open);
}

static void ask_lockset(Check *c) {
  if (!c->flow) return;
  progress_phase(c->request->progress, "lock sets", 0);
  if (c->result->asked[PROPERTY_RACE])
    lockset_check_races(c->flow, c->result, &c->candidates);
  if (!c->request->engines[ENGINE_LOCKSET]) /* its candidates serve, its proof does not */
    c->result->verdicts[PROPERTY_RACE] = VERDICT_UNKNOWN;
  if (c->result->asked[PROPERTY_RACE] && c->request->engines[ENGINE_LOCKSET])
    check_certificate(c);
  if (is_open(c, PROPERTY_DEADLOCK) && c->request->engines[ENGINE_LOCKSET])
    lockset_check_deadlocks(c->flow, c->result);
  log_put(c->request->log, LOG_INFO, "%u accesses, %u locations, %u candidates",
          c->flow->accesses.len, c->result->locations.len, c->candidates.len);
}

/* Objects with a pair that lock sets leave open; NULL: all of them, for nothing is known
 * about the others. `r` is the result of the lock set engine. */
static uint8_t *open_objects(const Check *c, const CheckResult *r) {
  if (!c->flow || !c->flow->complete || !c->request->engines[ENGINE_LOCKSET] ||
      r->unknown_because[PROPERTY_RACE])
    return NULL;
  uint8_t *open = mem_alloc_zero(c->program->objects.len + 1);
  for (uint32_t i = 0; i < r->locations.len; i++) {
    /* not by the candidates: one may stand for several objects */
    const Location *l = &r->locations.data[i];
    if (l->verdict == VERDICT_SAFE) continue;
    if (!l->object) {
      mem_free(open);
      return NULL;
    }
    open[l->object] = 1;
  }
  return open;
}

/* No execution has such an error: the warnings are void. */
static void withdraw_warnings(Check *c, Property property, const char *engine) {
  CheckResult *r = c->result;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].property != property)
      r->findings.data[kept++] = r->findings.data[i];
  r->findings.len = kept;
  r->verdicts[property] = VERDICT_SAFE;
  r->unknown_because[property] = NULL;
  if (property != PROPERTY_RACE) return;
  for (uint32_t i = 0; i < r->locations.len; i++) {
    Location *l = &r->locations.data[i];
    if (l->verdict == VERDICT_SAFE) continue;
    l->verdict = VERDICT_SAFE;
    l->reason = REASON_PROVED;
    l->engine = engine;
  }
  vec_clear(&c->candidates);
}

/* What lock sets say about races where only deadlocks are asked for: the objects that
 * they leave open. */
static uint8_t *objects_to_watch(Check *c) {
  CheckResult *r = c->result;
  if (r->asked[PROPERTY_RACE] || !c->flow) return open_objects(c, r);
  CheckResult silent;
  CandidateVec candidates = {0};
  result_init(&silent, c->program);
  silent.asked[PROPERTY_RACE] = true;
  lockset_check_races(c->flow, &silent, &candidates);
  uint8_t *open = open_objects(c, &silent);
  c->race_free = silent.verdicts[PROPERTY_RACE] == VERDICT_SAFE &&
                 c->request->engines[ENGINE_LOCKSET];
  vec_free(&candidates);
  result_free(&silent);
  return open;
}

static InterleaveAnswer explore(Check *c, const uint8_t *watched, const uint8_t *wild,
                                bool deadlocks) {
  double left = c->deadline - now();
  InterleaveQuestion question = {.program = c->program,
                                 .pointsto = c->pointsto,
                                 .watched = watched,
                                 .wild = wild,
                                 .deadlocks = deadlocks,
                                 .unlock_any = c->request->unlock_any,
                                 .threads = c->request->threads,
                                 .seconds = left > 0 ? left * INTERLEAVE_SHARE : 0,
                                 .stop = c->request->stop,
                                 .progress = c->request->progress};
  InterleaveAnswer answer;
  interleave_run(&question, c->result->arena, &answer);
  log_put(c->request->log, LOG_INFO, "interleave: %llu states, %s",
          (unsigned long long)answer.states,
          answer.reason ? answer.reason : deadlocks ? "no deadlock" : "no race");
  return answer;
}

/* Returns the object that was found to race, or 0. */
static ObjectId explore_races(Check *c, const uint8_t *watched) {
  CheckResult *r = c->result;
  InterleaveAnswer answer = explore(c, watched, NULL, false);
  for (int p = 0; p < PROPERTY_COUNT; p++) c->unexplored[p] = answer.reason;
  c->race_free = answer.race_free;
  if (answer.race_free && is_open(c, PROPERTY_RACE))
    withdraw_warnings(c, PROPERTY_RACE, "interleave");
  if (answer.assert_free && is_open(c, PROPERTY_ASSERT))
    r->verdicts[PROPERTY_ASSERT] = VERDICT_SAFE;
  return answer.object;
}

/* Without races nothing need be watched. With some, what they spoil may have any value;
 * the objects that race are found one by one, beginning with `racy`. */
static void explore_deadlocks(Check *c, const uint8_t *watched, ObjectId racy) {
  enum { MAX_RACY = 16 };
  uint8_t *wild = mem_alloc_zero(c->program->objects.len + 1);
  InterleaveAnswer answer = {0};
  for (int n = 0; n < MAX_RACY && !stopped(c) && c->deadline > now(); n++) {
    wild[racy] = 1; /* 0 is no object */
    answer = explore(c, c->race_free ? wild : watched, wild, true);
    racy = answer.object;
    if (!racy || wild[racy]) break;
  }
  c->unexplored[PROPERTY_DEADLOCK] = answer.reason;
  if (answer.deadlock_free) withdraw_warnings(c, PROPERTY_DEADLOCK, "interleave");
  mem_free(wild);
}

/* Deadlocks come second: without races they are easier. */
static void ask_interleave(Check *c) {
  const CheckResult *r = c->result;
  bool stuck = is_open(c, PROPERTY_DEADLOCK);
  if (!stuck && !is_open(c, PROPERTY_RACE) && !is_open(c, PROPERTY_ASSERT)) return;
  /* a race that the user accepts may be there, and then orders say nothing */
  if (!c->pointsto || r->accepted.len || c->program->accepts.len > 1 ||
      c->deadline <= now())
    return;
  if (c->flow && lockset_overwritten(c->flow)) /* plain writes are not visible to others there */
    return;
  progress_phase(c->request->progress, "interleavings", 0);
  c->race_free = r->asked[PROPERTY_RACE] && r->verdicts[PROPERTY_RACE] == VERDICT_SAFE;
  uint8_t *watched = objects_to_watch(c);
  ObjectId racy = 0;
  if (!c->race_free || is_open(c, PROPERTY_ASSERT)) racy = explore_races(c, watched);
  if (stuck && (c->race_free || racy)) explore_deadlocks(c, watched, racy);
  mem_free(watched);
}

/* ---- any number of threads ---- */

static bool has_many_threads(const Check *c) {
  for (uint32_t i = 0; c->flow && i < c->flow->threads.len; i++)
    if (c->flow->threads.data[i].many) return true;
  return false;
}

/* The run of a net whose target is covered, tried on the model itself. */
static bool follow_net(void *user, const PetriAnswer *net) {
  Check *c = user;
  double left = c->deadline - now();
  Witness witness;
  Guide guide = {.program = c->program,
                 .steps = net->steps,
                 .step_count = net->step_count,
                 .threads = {net->racers[0], net->racers[1]},
                 .edges = {net->edges[0], net->edges[1]},
                 .seconds = left > 0 ? left * GUIDE_SHARE : 0,
                 .stop = c->request->stop};
  if (!net->edges[0] || !net->edges[1] || !hunt_along(&guide, &witness)) return false;
  witness.engine = "petri";
  evidence_add(c->result, &c->candidates, c->flow, &witness);
  log_put(c->request->log, LOG_INFO,
          "petri: the run of the net is one of the program, %llu threads%s",
          (unsigned long long)net->threads, net->least ? " (the least)" : "");
  witness_free(&witness);
  return true;
}

/* What keeps the two apart, if anything, is neither a lock nor an order. */
static bool may_conflict(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  switch (pair_decide(flow, a, b)) {
  case PAIR_APART:
  case PAIR_ATOMIC:
  case PAIR_OWN: return false;
  default: return true;
  }
}

static void ask_petri(Check *c) {
  const CheckResult *r = c->result;
  double left = c->deadline - now();
  if (!is_open(c, PROPERTY_RACE) || !c->flow || !c->flow->complete || r->accepted.len ||
      c->program->accepts.len > 1 || left <= 0)
    return;
  if (lockset_renewed(c->flow)) /* a net takes every lock for made once */
    return;
  progress_phase(c->request->progress, "any number of threads", 0);
  uint8_t *watched = open_objects(c, r);
  PetriQuestion question = {.program = c->program,
                            .pointsto = c->pointsto,
                            .flow = c->flow,
                            .conflict = may_conflict,
                            .watched = watched,
                            .seconds = left * PETRI_SHARE,
                            .stop = c->request->stop,
                            .progress = c->request->progress,
                            .log = c->request->log,
                            .certificate = c->request->certificate,
                            .follow = follow_net,
                            .user = c};
  petri_run(&question, c->result->arena, &c->net);
  if (c->request->ret_certified) *c->request->ret_certified = c->net.written;
  log_put(c->request->log, LOG_INFO, "petri: %s",
          c->net.reason ? c->net.reason : "no race, with any number of threads");
  if (c->net.race_free) {
    withdraw_warnings(c, PROPERTY_RACE, "petri");
    c->race_free = true;
  }
  mem_free(watched);
}

static void ask_hunt(Check *c) {
  CheckResult *r = c->result;
  VEC(HuntPair) pairs = {0};
  for (uint32_t i = 0; i < c->candidates.len; i++) {
    const Candidate *x = &c->candidates.data[i];
    HuntPair pair = {c->flow->accesses.data[x->a].edge,
                     c->flow->accesses.data[x->b].edge};
    vec_push(&pairs, pair);
  }
  HuntRequest request = {.program = c->program,
                         .pairs = pairs.data,
                         .pair_count = pairs.len,
                         .races = is_open(c, PROPERTY_RACE) && pairs.len,
                         .deadlocks = is_open(c, PROPERTY_DEADLOCK),
                         .asserts = is_open(c, PROPERTY_ASSERT),
                         .seconds = c->deadline - now(),
                         .stop = c->request->stop};
  WitnessVec witnesses = {0};
  if ((request.races || request.deadlocks || request.asserts) && request.seconds > 0) {
    progress_phase(c->request->progress, "looking for evidence", 0);
    hunt(&request, &witnesses);
    log_put(c->request->log, LOG_INFO, "the hunt found %u errors", witnesses.len);
  }
  for (uint32_t i = 0; i < witnesses.len; i++) {
    evidence_add(r, &c->candidates, c->flow, &witnesses.data[i]);
    witness_free(&witnesses.data[i]);
  }
  vec_free(&witnesses);
  vec_free(&pairs);
}

/* Without the lock set engine its candidates still direct the hunt, but its answers do
 * not count. */
static void forget_lockset(Check *c) {
  CheckResult *r = c->result;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].verdict == VERDICT_UNSAFE)
      r->findings.data[kept++] = r->findings.data[i];
  r->findings.len = kept;
  r->locations.len = 0;
}

/* ---- the conclusion ---- */

static const char *why_unknown(const Check *c, Property p) {
  const CheckResult *r = c->result;
  const char *explored = c->unexplored[p];
  if (r->unknown_because[p] && explored)
    return arena_printf(r->arena, "%s (interleave: %s)", r->unknown_because[p], explored);
  if (r->unknown_because[p]) return arena_strdup(r->arena, r->unknown_because[p]);
  uint32_t warnings = 0;
  for (uint32_t i = 0; i < r->findings.len; i++)
    warnings += r->findings.data[i].property == p && !r->findings.data[i].accepted;
  if (warnings && explored)
    return arena_printf(r->arena,
                        "what is listed as a warning was neither excluded nor shown "
                        "(interleave: %s)",
                        explored);
  if (warnings) return "what is listed as a warning was neither excluded nor shown";
  if (stopped(c)) return "the time was over before the answer was known";
  if (!c->request->engines[ENGINE_LOCKSET] && p == PROPERTY_RACE)
    return "no race was found; the engine that could prove it was not asked";
  return p == PROPERTY_RACE       ? "the analysis did not come to an end"
         : p == PROPERTY_DEADLOCK ? "no deadlock was found, which is no proof"
                                  : "no run failed an assertion, which is no proof";
}

static void conclude(Check *c) {
  CheckResult *r = c->result;
  for (uint32_t i = 0; i < r->findings.len; i++) {
    Finding *f = &r->findings.data[i];
    if (f->verdict == VERDICT_UNSAFE) r->verdicts[f->property] = VERDICT_UNSAFE;
    if (!f->fix && f->property == PROPERTY_RACE && f->access_count == 2)
      f->fix = advise_race(r->program, f->accesses, f->name, r->arena);
  }
  /* none of the engines lets a writer that waits keep readers out */
  bool writers_first = c->flow && c->flow->writers_first;
  if (writers_first && r->verdicts[PROPERTY_DEADLOCK] == VERDICT_SAFE) {
    r->verdicts[PROPERTY_DEADLOCK] = VERDICT_UNKNOWN;
    r->unknown_because[PROPERTY_DEADLOCK] =
        "a read-write lock may keep readers out while a writer waits";
  }
  for (int p = 0; p < PROPERTY_COUNT; p++)
    r->unknown_because[p] = is_open(c, (Property)p) ? why_unknown(c, (Property)p) : NULL;
  result_complete(r);
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
  Check c = {.program = program,
             .request = request,
             .result = result,
             .deadline = now() + request->seconds};
  analyse(&c);
  settle_trivial(&c);
  ask_lockset(&c);
  /* threads without bound are the net's; with a bound interleavings say more */
  bool net_first = has_many_threads(&c);
  if (request->engines[ENGINE_PETRI] && net_first) ask_petri(&c);
  if (request->engines[ENGINE_INTERLEAVE]) ask_interleave(&c);
  if (request->engines[ENGINE_PETRI] && !net_first) ask_petri(&c);
  if (request->engines[ENGINE_HUNT]) ask_hunt(&c);
  if (!request->engines[ENGINE_LOCKSET]) forget_lockset(&c);
  conclude(&c);
  progress_end(request->progress);
  vec_free(&c.candidates);
  flow_free(c.flow);
  pointsto_free(c.pointsto);
  return true;
}
