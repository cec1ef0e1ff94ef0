/* See question.h. */
#include "engine/circ/question.h"

#include "engine/circ/certify.h"
#include "engine/live.h"
#include "analysis/pair.h"
#include "analysis/slice.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/proc.h"

#include <unistd.h>

/* Until the child is ended from outside, in seconds: it keeps the time by itself. */
static const double GRACE = 0.5;

const char *circ_objection(const EngineContext *c, const Obligation *o) {
  const Flow *flow = analyses_flow(c->analyses);
  if (obligation_property(o) == PROPERTY_DEADLOCK)
    return "contexts are not asked about deadlocks";
  if (!flow || !flow->complete) return "the analysis did not come to an end";
  return o->kind == OBLIGATION_ELSEWHERE && o->edge ? "it is about no particular memory"
                                                    : NULL;
}

/* ---- one question, in the child ---- */

static const FlowAccess *member(const CircAsking *q, uint32_t i) {
  uint32_t record =
      q->context->obligations->members.data[q->obligation->first_member + i];
  return &q->flow->accesses.data[record];
}

/* Unless both are atomic, or only read. */
static bool may_meet(const CircAsking *q, const FlowAccess *a, const FlowAccess *b) {
  if (!q->strict) return pair_may_meet(q->flow, a, b);
  return pair_decide(q->flow, a, b) != PAIR_ATOMIC && ((a->kind | b->kind) & FLOW_WRITE);
}

bool circ_edges_conflict(void *user, EdgeId a, EdgeId b) {
  const CircAsking *q = user;
  for (uint32_t i = 0; i < q->obligation->member_count; i++) {
    const FlowAccess *x = member(q, i);
    if (x->edge != a) continue;
    for (uint32_t j = 0; j < q->obligation->member_count; j++)
      if (member(q, j)->edge == b && may_meet(q, x, member(q, j))) return true;
  }
  return false;
}

static uint8_t *asked_edges(const CircAsking *q) {
  uint8_t *asked = mem_alloc_zero(q->context->program->edges.len + 1);
  if (q->obligation->kind == OBLIGATION_ASSERTION) asked[q->obligation->edge] = 1;
  for (uint32_t i = 0; i < q->obligation->member_count; i++)
    asked[member(q, i)->edge] = 1;
  return asked;
}

static ObjectId asked_object(const CircAsking *q) {
  return q->obligation->kind == OBLIGATION_LOCATION
             ? pointsto_object(q->flow->pointsto, q->obligation->object)
             : 0;
}

/* The program as far as the question needs it; NULL: the slice is not closed, or no time. */
static Slice *slice_for(const CircAsking *q, const uint8_t *asked) {
  EngineContext *c = q->context;
  SliceQuestion question = {c->program, q->flow->pointsto, q->flow->sharing, asked,
                            c->stop};
  Slice *slice = slice_new(&question);
  Str why = {0};
  if (slice && !slice_check(&question, slice, &why)) {
    log_put(c->log, LOG_ERROR, "a slice is not closed: %s: please report this",
            str_text(&why));
    slice_free(slice);
    slice = NULL;
  }
  str_free(&why);
  return slice;
}

static void ask(CircAsking *q, CircMethod *method) {
  EngineContext *c = q->context;
  uint8_t *asked = asked_edges(q);
  Slice *slice = slice_for(q, asked);
  const char *why = "there is no slice for it";
  CircModel *model = NULL;
  Program view;
  q->asked = asked;
  if (slice) {
    slice_view(c->program, slice, &view);
    CircQuestion question = {.program = &view,
                             .pointsto = q->flow->pointsto,
                             .flow = q->flow,
                             .asked = asked,
                             .object = asked_object(q),
                             .from = q->obligation->from,
                             .racy = q->open->racy,
                             .fine = c->options->single_steps,
                             .stop = c->stop};
    model = circ_model_new(&question, c->arena, &why);
  }
  method(q, model, why);
  if (model) circ_model_free(model);
  if (slice) slice_view_free(&view);
  slice_free(slice);
  mem_free(asked);
}

typedef struct {
  EngineContext *context;
  const OpenObjects *open;
  double deadline;
  CircMethod *method;
} Task;

static bool is_asked(const EngineContext *c, uint32_t i) {
  return engine_wants(c, i) && c->obligations->list.data[i].kind != OBLIGATION_ELSEWHERE;
}

static int ask_each(int fd, void *data) {
  Task *task = data;
  EngineContext *c = task->context;
  c->log = &live_log;
  uint32_t left = 0;
  bool cut = false; /* some question would like more time */
  for (uint32_t i = 0; i < c->obligations->list.len; i++) left += is_asked(c, i);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    if (!is_asked(c, i)) continue;
    double now = clock_now();
    if (now >= task->deadline || (c->stop && *c->stop)) break;
    /* What one does not use is there for the others. */
    double share = (task->deadline - now) / left--;
    double least = (task->deadline - now) / 2 < 2 ? (task->deadline - now) / 2 : 2;
    CircAsking q = {.context = c,
                    .open = task->open,
                    .obligation = &c->obligations->list.data[i],
                    .number = i,
                    .flow = analyses_flow(c->analyses),
                    .deadline = now + (share > least ? share : least),
                    .fd = fd};
    ask(&q, task->method);
    cut = cut || clock_now() >= q.deadline;
  }
  return cut;
}

/* ---- in the parent ---- */

void circ_claim(EngineContext *c, Claim proved, const uint32_t *relied, uint32_t count) {
  const Obligations *all = c->obligations;
  const PointsTo *pointsto = analyses_pointsto(c->analyses);
  uint32_t *conditions = arena_alloc(c->arena, (all->list.len + 1) * sizeof *conditions);
  uint32_t n = 0;
  for (uint32_t i = 0; i < all->list.len; i++) {
    const Obligation *o = &all->list.data[i];
    bool needed = o->kind == OBLIGATION_ELSEWHERE;
    for (uint32_t k = 0; o->kind == OBLIGATION_LOCATION && k < count; k++)
      needed = needed || pointsto_object(pointsto, o->object) == relied[k];
    if (needed && i != proved.obligation) conditions[n++] = i;
  }
  proved.conditions = conditions;
  proved.condition_count = n;
  engine_claim(c, &proved);
}

void circ_claim_elsewhere(EngineContext *c) {
  Str text = {0};
  circ_certify_elsewhere(c->program, &text);
  const char *certificate = arena_strndup(c->arena, str_text(&text), text.len);
  str_free(&text);
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (c->obligations->list.data[i].kind == OBLIGATION_ELSEWHERE && engine_wants(c, i))
      engine_claim(c, &(Claim){.obligation = i,
                               .verdict = VERDICT_SAFE,
                               .proof = PROOF_CONTEXT,
                               .certificate = certificate,
                               .reason = REASON_PROVED});
}

EngineEnd circ_ask_all(EngineContext *c, const char *phase, CircMethod *method,
                       CircTake *take) {
  OpenObjects open = open_objects(c);
  double seconds = engine_seconds_left(c);
  Task task = {c, &open, clock_now() + seconds, method};
  Live live = {c->self->name, c->log, c->progress, c->stop};
  int fd;
  ProcResult result = {0};
  progress_phase(c->progress, phase, 0);
  Proc *proc = proc_fork_start(ask_each, &task, seconds + GRACE, 0, &fd);
  live_wait(&live, proc, &result);
  const void *data;
  size_t size;
  if (fd >= 0 && proc_map_fd(fd, &data, &size)) {
    take(c, data, size);
    proc_unmap(data, size);
  }
  if (fd >= 0) close(fd);
  bool ended = proc_ok(&result) && clock_now() < task.deadline;
  proc_result_free(&result);
  open_objects_free(&open);
  return ended ? ENGINE_ENDED : ENGINE_CUT;
}
