/* Context inference as the ladder sees it.
 *
 * Every open location and assertion is a question of its own, on a slice of its own. All are asked in a
 * child, because the library behind the solver may end its process when memory runs out; answers come
 * back as bytes. A proof holds on condition that nothing races whose value it relies on: the
 * predicates speak of variables that no race has changed. */
#include "engine/circ/certify.h"

#include "analysis/pair.h"
#include "analysis/slice.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/proc.h"
#include "engine/circ/record.h"
#include "engine/circ/story.h"
#include "engine/names.h"
#include "engine/open.h"

#include <unistd.h>

/* Until the child is ended from outside, in seconds: it keeps the time by itself. */
static const double GRACE = 0.5;

static const char *objection(const EngineContext *c, const Obligation *o) {
  const Flow *flow = analyses_flow(c->analyses);
  if (obligation_property(o) == PROPERTY_DEADLOCK)
    return "contexts are not asked about deadlocks";
  if (!flow || !flow->complete) return "the analysis did not come to an end";
  return o->kind == OBLIGATION_ELSEWHERE && o->edge ? "it is about no particular memory"
                                                    : NULL;
}

/* ---- one question, in the child ---- */

typedef struct {
  EngineContext *context;
  const OpenObjects *open;
  const Obligation *obligation;
  const Flow *flow;
} Question;

static const FlowAccess *member(const Question *q, uint32_t i) {
  uint32_t record =
      q->context->obligations->members.data[q->obligation->first_member + i];
  return &q->flow->accesses.data[record];
}

static bool edges_conflict(void *user, EdgeId a, EdgeId b) {
  const Question *q = user;
  for (uint32_t i = 0; i < q->obligation->member_count; i++) {
    const FlowAccess *x = member(q, i);
    if (x->edge != a) continue;
    for (uint32_t j = 0; j < q->obligation->member_count; j++)
      if (member(q, j)->edge == b && pair_may_meet(q->flow, x, member(q, j))) return true;
  }
  return false;
}

static void tell_round(void *user, const char *text) {
  const Question *q = user;
  log_put(q->context->log, LOG_INFO, "circ: %s", text);
}

static uint8_t *asked_edges(const Question *q) {
  uint8_t *asked = mem_alloc_zero(q->context->program->edges.len + 1);
  if (q->obligation->kind == OBLIGATION_ASSERTION) asked[q->obligation->edge] = 1;
  for (uint32_t i = 0; i < q->obligation->member_count; i++)
    asked[member(q, i)->edge] = 1;
  return asked;
}

/* The program as far as the question needs it; NULL: the slice is not closed, or no time. */
static Slice *slice_for(const Question *q, const uint8_t *asked) {
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

/* ---- what a proof relies on ---- */

typedef struct {
  const CircPredicates *predicates;
  uint8_t *objects; /* by ObjectId */
} Relied;

static void rely(void *user, Term variable) {
  Relied *r = user;
  CircOwner owner;
  if (!circ_owner(r->predicates, variable, &owner) || owner.kind != CIRC_NOBODY) return;
  const CircShared *s = &r->predicates->model->shared.data[owner.variable];
  if (!s->ghost) r->objects[s->object] = 1;
}

static void rely_on_term(Relied *r, Term t) {
  Map seen = {0};
  if (t) term_variables(r->predicates->model->terms, t, &seen, rely, r);
  map_free(&seen);
}

/* The variables of predicates; and those that a block accesses more than once, or beside others: that
 * nobody comes in between is true of what does not race. */
static void find_relied(Relied *r) {
  const CircModel *m = r->predicates->model;
  for (uint32_t i = 0; i < r->predicates->list.len; i++)
    rely_on_term(r, r->predicates->list.data[i].term);
  for (uint32_t k = 0; k < m->kinds.len; k++) {
    const CircKind *kind = &m->kinds.data[k];
    for (uint32_t i = 0; i < kind->all.len; i++) {
      const CircBlock *b = &kind->all.data[i];
      if (b->visit_count < 2) continue;
      rely_on_term(r, b->guard);
      for (uint32_t j = 0; j < b->set_count; j++)
        rely_on_term(r, kind->sets.data[b->first_set + j].value);
    }
  }
}

static void tell_story(const Question *q, const CircAnswer *answer, double deadline,
                       CircTexts *ret) {
  const Obligation *o = q->obligation;
  const Program *p = q->context->program;
  const char *title = "an assertion never fails";
  if (o->kind == OBLIGATION_LOCATION)
    title = arena_printf(q->context->arena, "no race on %s",
                         name_of_place(p, pointsto_object(q->flow->pointsto, o->object),
                                       member(q, 0)->offset, q->context->arena));
  circ_story(answer, title, deadline, &ret->drawing, &ret->story);
}

static void infer(const Question *q, CircModel *model, const uint8_t *asked,
                  uint32_t number, double deadline, int fd) {
  EngineContext *c = q->context;
  CircRequest request = {.model = model,
                         .conflict = edges_conflict,
                         .user = (void *)q,
                         .given = c->options->predicates,
                         .deadline = deadline,
                         .stop = c->stop,
                         .tell = tell_round};
  CircAnswer answer;
  circ_run(&request, c->arena, &answer);
  uint8_t *relied = mem_alloc_zero(c->program->objects.len + 1);
  Relied r = {answer.predicates, relied};
  find_relied(&r);
  log_put(c->log, LOG_INFO,
          "circ: %u rounds, %u predicates, %u local states, %u steps: %s", answer.rounds,
          answer.predicates->list.len, answer.abstraction.tts.locals.len,
          answer.abstraction.tts.steps.len,
          answer.verdict == CIRC_SAFE       ? "proved"
          : answer.verdict == CIRC_FEASIBLE ? "a run that can be"
          : answer.reason                   ? answer.reason
                                            : "unknown");
  CircTexts texts = {0};
  CircProof proof = {c->program, q->obligation, asked, relied, &answer};
  if (answer.verdict == CIRC_SAFE &&
      circ_is_checkable(c->program, q->flow, c->obligations, q->obligation))
    circ_certify(&proof, &texts.certificate);
  if (answer.verdict == CIRC_SAFE && (c->options->stories || c->options->drawings))
    tell_story(q, &answer, deadline, &texts);
  circ_record_send(fd, number, &answer, NULL, relied, c->program->objects.len, &texts);
  circ_texts_free(&texts);
  mem_free(relied);
  circ_answer_free(&answer);
}

static void ask(const Question *q, uint32_t number, double deadline, int fd) {
  EngineContext *c = q->context;
  uint8_t *asked = asked_edges(q);
  Slice *slice = slice_for(q, asked);
  const char *why = "there is no slice for it";
  CircModel *model = NULL;
  Program view;
  if (slice) {
    slice_view(c->program, slice, &view);
    CircQuestion question = {.program = &view,
                             .pointsto = q->flow->pointsto,
                             .flow = q->flow,
                             .asked = asked,
                             .racy = q->open->racy,
                             .fine = c->options->single_steps,
                             .stop = c->stop};
    model = circ_model_new(&question, c->arena, &why);
  }
  if (model)
    infer(q, model, asked, number, deadline, fd);
  else
    circ_record_send(fd, number, NULL, why, NULL, 0, NULL);
  if (model) circ_model_free(model);
  if (slice) slice_view_free(&view);
  slice_free(slice);
  mem_free(asked);
}

typedef struct {
  EngineContext *context;
  const OpenObjects *open;
  double deadline;
} Task;

static bool is_asked(const EngineContext *c, uint32_t i) {
  return engine_wants(c, i) && c->obligations->list.data[i].kind != OBLIGATION_ELSEWHERE;
}

static int ask_all(int fd, void *data) {
  Task *task = data;
  EngineContext *c = task->context;
  uint32_t left = 0;
  for (uint32_t i = 0; i < c->obligations->list.len; i++) left += is_asked(c, i);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    if (!is_asked(c, i)) continue;
    double now = clock_now();
    if (now >= task->deadline || (c->stop && *c->stop)) break;
    /* What one does not use is there for the others. */
    double share = (task->deadline - now) / left--;
    double least = (task->deadline - now) / 2 < 2 ? (task->deadline - now) / 2 : 2;
    Question q = {c, task->open, &c->obligations->list.data[i],
                  analyses_flow(c->analyses)};
    ask(&q, i, now + (share > least ? share : least), fd);
  }
  return 0;
}

/* ---- in the parent ---- */

/* The obligations that the claim rests on: of races at objects whose values it relies on, and at
 * memory that nobody knows. */
static void claim(EngineContext *c, Claim proved, const uint32_t *relied,
                  uint32_t count) {
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

static void try_plan(EngineContext *c, const CircRecord *r, const uint8_t *at) {
  Plan plan = r->plan;
  GuideStep *steps = arena_alloc(c->arena, (r->step_count + 1) * sizeof *steps);
  GuideValues *values = arena_alloc_zero(c->arena, (r->value_count + 1) * sizeof *values);
  memcpy(steps, at, r->step_count * sizeof *steps);
  at += r->step_count * sizeof *steps;
  for (uint32_t i = 0; i < r->value_count; i++) {
    uint32_t head[2];
    memcpy(head, at, sizeof head);
    uint64_t *words = arena_alloc(c->arena, (head[1] + 1) * sizeof *words);
    memcpy(words, at + sizeof head, head[1] * sizeof *words);
    values[i] = (GuideValues){head[0], words, head[1]};
    at += sizeof head + head[1] * sizeof *words;
  }
  plan.steps = steps;
  plan.values = values;
  if (engine_offer(c, &plan)) return;
  Property property = obligation_property(vec_at(&c->obligations->list, r->obligation));
  engine_tell_limit(c, property, "a run that the values allow was not seen in the model");
}

static void take(EngineContext *c, const CircRecord *r, const uint8_t *rest) {
  Property property = obligation_property(vec_at(&c->obligations->list, r->obligation));
  switch ((CircVerdict)r->verdict) {
  case CIRC_SAFE: {
    const char *end = (const char *)rest + r->size - sizeof *r;
    const char *certificate =
        r->certificate ? arena_strndup(c->arena, end - r->certificate, r->certificate)
                       : NULL;
    const char *drawing = end - r->certificate - r->drawing;
    if (c->options->drawings) str_add_bytes(c->options->drawings, drawing, r->drawing);
    const char *story =
        r->story ? arena_strndup(c->arena, drawing - r->story, r->story) : NULL;
    const char **told = arena_alloc(c->arena, (r->told_count + 1) * sizeof *told);
    const char *text = (const char *)rest;
    for (uint32_t i = 0; i < r->told_count; i++) {
      told[i] = arena_strdup(c->arena, text);
      text += strlen(text) + 1;
    }
    rest += r->told_bytes;
    uint32_t *relied = arena_alloc(c->arena, (r->relied_count + 1) * sizeof *relied);
    memcpy(relied, rest, r->relied_count * sizeof *relied);
    claim(c,
          (Claim){.obligation = r->obligation,
                  .verdict = VERDICT_SAFE,
                  .proof = PROOF_CONTEXT,
                  .certificate = certificate,
                  .reason = REASON_PROVED,
                  .story = story,
                  .guards = told,
                  .guard_count = r->told_count},
          relied, r->relied_count);
    break;
  }
  case CIRC_FEASIBLE: try_plan(c, r, rest + r->relied_count * sizeof(uint32_t)); break;
  case CIRC_UNKNOWN:
    if (r->reason[0]) engine_tell_limit(c, property, arena_strdup(c->arena, r->reason));
    break;
  }
}

static void take_all(EngineContext *c, const uint8_t *data, size_t size) {
  size_t at = 0;
  CircRecord r;
  while (size - at >= sizeof r) {
    memcpy(&r, data + at, sizeof r);
    if (r.size < sizeof r || r.size > size - at) return;
    take(c, &r, data + at + sizeof r);
    at += r.size;
  }
}

/* No access is to memory that nobody knows: then there is nothing to prove. */
static void claim_elsewhere(EngineContext *c) {
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

static EngineEnd run(EngineContext *c) {
  if (!analyses_flow(c->analyses)) return ENGINE_ENDED;
  claim_elsewhere(c);
  OpenObjects open = open_objects(c);
  double seconds = engine_seconds_left(c);
  Task task = {c, &open, clock_now() + seconds};
  static const volatile int never;
  int fd;
  ProcResult result = {0};
  progress_phase(c->progress, "contexts", 0);
  Proc *proc = proc_fork_start(ask_all, &task, seconds + GRACE, 0, &fd);
  proc_wait_or_stop(proc, c->stop ? c->stop : &never, &result);
  const void *data;
  size_t size;
  if (fd >= 0 && proc_map_fd(fd, &data, &size)) {
    take_all(c, data, size);
    proc_unmap(data, size);
  }
  if (fd >= 0) close(fd);
  if (result.err.len) log_put(c->log, LOG_INFO, "circ: %s", str_text(&result.err));
  bool ended = result.end == PROC_EXITED && clock_now() < task.deadline;
  proc_result_free(&result);
  open_objects_free(&open);
  return ended ? ENGINE_ENDED : ENGINE_CUT;
}

const Engine engine_circ = {
    .name = "circ",
    .summary = "predicates and inferred contexts, for any number of threads",
    .tier = TIER_EXPLORE,
    .share = 0.5,
    .rests = ON_FLOW | ON_CONTEXTS,
    .unbounded = true,
    .objection = objection,
    .run = run,
};
