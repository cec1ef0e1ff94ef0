/* KISS as the ladder sees it: it shows errors, and proves programs that are bounded.
 *
 * The search runs in a child, because the library behind the solver may end its process when memory
 * runs out. Witnesses come back as bytes; the ladder follows each of them once more. */
#include "engine/kiss/kiss.h"
#include "engine/live.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/proc.h"
#include "engine/suspects.h"

#include <unistd.h>

/* The first look: as much of the time, but at most so many seconds. */
static const double GLANCE_SHARE = 0.1, GLANCE = 0.3;
/* Until the child is ended from outside, in seconds: it keeps the time by itself. */
static const double GRACE = 0.5;

static const char *objection(const EngineContext *c, const Obligation *o) {
  (void)o;
  return analyses_flow(c->analyses) ? NULL : "nothing is known about pointers";
}

/* ---- in the child ---- */

typedef struct {
  KissRequest request;
  bool unasked[PROPERTY_COUNT]; /* there is more of it than what is to be proved */
  int fd;
} Task;

enum { RECORD_WITNESS = 1, RECORD_PROOF, RECORD_STAGE, RECORD_REPORT };

/* What a witness is on its way: this, then its steps, then its values. */
typedef struct {
  uint32_t record;
  uint32_t step_count, value_count;
  Witness witness;
} Record;

static bool send_witness(void *user, const Witness *w) {
  Task *task = user;
  Record r = {.record = RECORD_WITNESS,
              .step_count = w->steps.len,
              .value_count = w->values.len,
              .witness = *w};
  proc_write_all(task->fd, &r, sizeof r);
  proc_write_all(task->fd, w->steps.data, w->steps.len * sizeof *w->steps.data);
  proc_write_all(task->fd, w->values.data, w->values.len * sizeof *w->values.data);
  return true;
}

/* A proof on its way: this, then the obligations that it is of. */
typedef struct {
  uint32_t record;
  uint32_t count;
  KissProof proof;
} ProofRecord;

static void send_proof(void *user, const KissProof *proof, const uint32_t *obligations,
                       uint32_t count) {
  Task *task = user;
  ProofRecord r = {.record = RECORD_PROOF, .count = count, .proof = *proof};
  proc_write_all(task->fd, &r, sizeof r);
  proc_write_all(task->fd, obligations, count * sizeof *obligations);
}

/* How far it came: this, then the loops. */
typedef struct {
  uint32_t record;
  KissStage stage;
} StageRecord;

static void send_stage(void *user, const KissStage *stage) {
  Task *task = user;
  StageRecord r = {.record = RECORD_STAGE, .stage = *stage};
  proc_write_all(task->fd, &r, sizeof r);
  proc_write_all(task->fd, stage->loops,
                 (stage->loop_count + stage->proof_loop_count) * sizeof *stage->loops);
}

typedef struct {
  uint32_t record;
  KissReport report;
  char gave_up[128], no_proof[128];
} Farewell;

static int search_in_child(int fd, void *data) {
  Task *task = data;
  Farewell end = {.record = RECORD_REPORT};
  task->fd = fd;
  task->request.log = &live_log;
  kiss_search(&task->request, &end.report);
  if (end.report.gave_up)
    strncpy(end.gave_up, end.report.gave_up, sizeof end.gave_up - 1);
  if (end.report.no_proof.text)
    strncpy(end.no_proof, end.report.no_proof.text, sizeof end.no_proof - 1);
  proc_write_all(fd, &end, sizeof end);
  return 0;
}

/* ---- what comes back ---- */

static void take_witness(EngineContext *c, const Record *r, const uint8_t *at) {
  Witness w = r->witness;
  w.steps = (HuntSteps){0};
  w.values = (HuntValues){0};
  w.text = NULL;
  w.input = witness_input(w.seed);
  w.engine = c->self->name;
  size_t steps = r->step_count * sizeof *w.steps.data;
  if (steps) memcpy(vec_extend(&w.steps, r->step_count), at, steps);
  if (r->value_count)
    memcpy(vec_extend(&w.values, r->value_count), at + steps,
           r->value_count * sizeof *w.values.data);
  engine_show(c, &w);
  witness_free(&w);
}

/* A claim holds if nothing else races: what a race leaves behind is in no schedule. Where there is but
 * one thread there is no race. */
static void take_proof(EngineContext *c, const ProofRecord *r, const uint8_t *at) {
  const Obligations *all = c->obligations;
  KissProof *proof = arena_alloc(c->arena, sizeof *proof);
  uint32_t *races = arena_alloc(c->arena, (all->list.len + 1) * sizeof *races);
  uint32_t count = 0;
  *proof = r->proof;
  for (uint32_t i = 0; i < all->list.len; i++)
    if (obligation_property(&all->list.data[i]) == PROPERTY_RACE) races[count++] = i;
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t obligation;
    memcpy(&obligation, at + i * sizeof obligation, sizeof obligation);
    engine_claim(c, &(Claim){.obligation = obligation,
                             .verdict = VERDICT_SAFE,
                             .proof = PROOF_SCHEDULES,
                             .schedules = proof,
                             .reason = REASON_PROVED,
                             .conditions = races,
                             .condition_count = count});
  }
}

/* The bytes behind the record that belong to it; false: they are not all there. */
static bool take_stage(EngineContext *c, const StageRecord *r, const uint8_t *at,
                       size_t size, size_t *ret_bytes) {
  KissStage *stage = arena_alloc(c->arena, sizeof *stage);
  *stage = r->stage;
  *ret_bytes =
      ((size_t)stage->loop_count + stage->proof_loop_count) * sizeof *stage->loops;
  if (size < *ret_bytes) return false;
  stage->loops = arena_alloc(c->arena, *ret_bytes + 1);
  memcpy(stage->loops, at, *ret_bytes);
  engine_keep(c, stage);
  return true;
}

/* The records that are whole. False: there is no report at the end. */
static bool read_records(EngineContext *c, const uint8_t *data, size_t size,
                         Farewell *ret_end) {
  size_t at = 0;
  while (at + sizeof(uint32_t) <= size) {
    uint32_t record;
    memcpy(&record, data + at, sizeof record);
    if (record == RECORD_REPORT) {
      if (size - at < sizeof *ret_end) return false;
      memcpy(ret_end, data + at, sizeof *ret_end);
      return true;
    }
    if (record == RECORD_STAGE) {
      StageRecord s;
      size_t bytes;
      if (size - at < sizeof s) return false;
      memcpy(&s, data + at, sizeof s);
      at += sizeof s;
      if (!take_stage(c, &s, data + at, size - at, &bytes)) return false;
      at += bytes;
      continue;
    }
    if (record == RECORD_PROOF) {
      ProofRecord p;
      if (size - at < sizeof p) return false;
      memcpy(&p, data + at, sizeof p);
      at += sizeof p;
      if (size - at < p.count * sizeof(uint32_t)) return false;
      take_proof(c, &p, data + at);
      at += p.count * sizeof(uint32_t);
      continue;
    }
    Record r;
    if (record != RECORD_WITNESS || size - at < sizeof r) return false;
    memcpy(&r, data + at, sizeof r);
    at += sizeof r;
    size_t rest = r.step_count * sizeof(HuntStep) + r.value_count * sizeof(uint64_t);
    if (size - at < rest) return false;
    take_witness(c, &r, data + at);
    at += rest;
  }
  return false;
}

/* How far the search came: within these bounds there is no error. A deadlock is looked for where a
 * schedule ends, or threads wait for each other; one that waits while others go on for ever is not
 * seen. */
static const char *bounds_text(EngineContext *c, const KissReport *r, Property property) {
  const KissFamily *f = &r->family;
  const char *cut = r->everything ? "" : ", loops cut off";
  if (f->balanced)
    return arena_printf(c->arena, "no error in balanced schedules with ts %u",
                        f->pending);
  if (!f->all)
    return arena_printf(c->arena, "no error in %u rounds of all threads%s", f->rounds,
                        cut);
  return arena_printf(
      c->arena, "no error in all schedules that %s%s",
      property == PROPERTY_DEADLOCK ? "come to an end" : "the interpreter can take", cut);
}

static const char *obstacle_text(EngineContext *c, const Farewell *end) {
  EdgeId edge = end->report.no_proof.edge;
  SourcePlace place = edge ? place_of_edge(c->program, edge) : (SourcePlace){0};
  if (!place_is_known(&place)) return arena_strdup(c->arena, end->no_proof);
  return arena_printf(c->arena, "%s at %s:%u", end->no_proof, place.file, place.line);
}

static void tell(EngineContext *c, const Farewell *end, const bool *unasked) {
  for (int p = 0; p < PROPERTY_COUNT; p++) {
    if (!engine_wants_any(c, (Property)p)) continue;
    const char *why = end->gave_up[0] ? arena_strdup(c->arena, end->gave_up)
                      : !end->report.family.rounds
                          ? "no question about schedules was answered in time"
                          : bounds_text(c, &end->report, (Property)p);
    if (end->no_proof[0])
      why = arena_printf(c->arena, "%s; no proof: %s", why, obstacle_text(c, end));
    else if (unasked[p])
      why = arena_printf(c->arena, "%s; no proof: not every access is a step of its own",
                         why);
    engine_tell_limit(c, (Property)p, why);
  }
}

/* ---- the engine ---- */

typedef VEC(EdgeId) Edges;
typedef VEC(KissQuestion) Questions;

/* What is accepted to race may be anything, and no schedule says what. */
static bool may_prove(const EngineContext *c) {
  if (!c->obligations->complete[PROPERTY_RACE] || c->options->unlock_any) return false;
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (c->obligations->list.data[i].accepted) return false;
  return true;
}

static void provable_questions(const EngineContext *c, const Flow *flow,
                               Questions *questions, bool *ret_unasked) {
  KissSubject subject = {c->program, flow, c->obligations, c->arena};
  bool may = may_prove(c);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    KissQuestion q;
    Property property = obligation_property(&c->obligations->list.data[i]);
    if (!engine_wants(c, i)) continue;
    if (may && kiss_question_of(&subject, i, &q))
      vec_push(questions, q);
    else
      ret_unasked[property] = true;
  }
}

static void open_assertions(const EngineContext *c, Edges *asserts) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind == OBLIGATION_ASSERTION && engine_wants(c, i)) vec_push(asserts, o->edge);
  }
}

static EngineEnd search(EngineContext *c, Task *task, double seconds) {
  int fd;
  ProcResult result = {0};
  Live live = {"kiss", c->log, c->progress, c->stop};
  Proc *proc = proc_fork_start(search_in_child, task, seconds + GRACE, 0, &fd);
  live_wait(&live, proc, &result);
  const void *data;
  size_t size;
  Farewell end = {0};
  bool told = false;
  if (fd >= 0 && proc_map_fd(fd, &data, &size)) {
    told = read_records(c, data, size, &end);
    proc_unmap(data, size);
  }
  if (fd >= 0) close(fd);
  if (told) {
    tell(c, &end, task->unasked);
  } else if (result.end != PROC_TIMED_OUT && !(c->stop && *c->stop)) {
    Str how = {0};
    proc_describe(&result, &how);
    const char *why = "the search for schedules needed more memory, or crashed";
    log_put(c->log, LOG_WARNING, "kiss: the search ended by %s", str_text(&how));
    for (int p = 0; p < PROPERTY_COUNT; p++)
      if (engine_wants_any(c, (Property)p)) engine_tell_limit(c, (Property)p, why);
    str_free(&how);
  }
  proc_result_free(&result);
  return told && clock_now() < task->request.deadline ? ENGINE_ENDED : ENGINE_CUT;
}

static EngineEnd run(EngineContext *c) {
  const Flow *flow = analyses_flow(c->analyses);
  if (!flow) return ENGINE_ENDED;
  HuntPairs pairs = {0};
  Edges asserts = {0};
  Questions questions = {0};
  suspects_collect(c, false, &pairs);
  open_assertions(c, &asserts);
  bool unasked[PROPERTY_COUNT] = {0};
  provable_questions(c, flow, &questions, unasked);
  uint8_t *shared = seq_shared_whole(c->program, flow);
  double seconds = engine_seconds_left(c);
  if (c->round == 0 && !c->options->balanced && !c->options->rounds &&
      !c->options->all_schedules)
    seconds = seconds * GLANCE_SHARE < GLANCE ? seconds * GLANCE_SHARE : GLANCE;
  Task task = {
      .request = {.program = c->program,
                  .flow = flow,
                  .pairs = pairs.data,
                  .pair_count = pairs.len,
                  .asserts = asserts.data,
                  .assert_count = asserts.len,
                  .questions = questions.data,
                  .question_count = questions.len,
                  .shared_whole = shared,
                  .deadlocks = engine_wants_any(c, PROPERTY_DEADLOCK),
                  .unlock_any = c->options->unlock_any,
                  .pending = c->options->balanced ? c->options->pending : UINT32_MAX,
                  .rounds = c->options->rounds,
                  .all = c->options->all_schedules,
                  .stage = engine_recall(c),
                  .deadline = clock_now() + seconds,
                  .log = c->log,
                  .show = send_witness,
                  .proved = send_proof,
                  .left = send_stage}};
  memcpy(task.unasked, unasked, sizeof unasked);
  task.request.user = &task;
  EngineEnd end = ENGINE_ENDED;
  progress_phase(c->progress, "schedules", 0);
  if ((pairs.len || asserts.len || questions.len || task.request.deadlocks) &&
      seconds > 0)
    end = search(c, &task, seconds);
  vec_free(&pairs);
  vec_free(&asserts);
  vec_free(&questions);
  mem_free(shared);
  return end;
}

const Engine engine_kiss = {
    .name = "kiss",
    .summary = "schedules and values by a solver, as sequential programs",
    .tier = TIER_SEARCH,
    .share = 0.5,
    .rests = ON_FLOW | ON_SCHEDULES,
    .objection = objection,
    .run = run,
};
