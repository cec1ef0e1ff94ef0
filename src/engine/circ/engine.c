/* Context inference as the ladder sees it.
 *
 * Questions are asked in a child (question.h). A proof holds on condition that nothing races whose value it relies
 * on: the predicates speak of variables that no race has changed. */
#include "engine/circ/certify.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/proc.h"
#include "engine/circ/question.h"
#include "engine/circ/record.h"
#include "engine/circ/story.h"
#include "engine/names.h"

static void tell_round(void *user, const char *text) {
  const CircAsking *q = user;
  log_put(q->context->log, LOG_INFO, "circ: %s", text);
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

/* What is asked about, as the source calls it; NULL: an assertion. */
static const char *subject_of(const CircAsking *q) {
  const Obligation *o = q->obligation;
  if (o->kind != OBLIGATION_LOCATION) return NULL;
  uint32_t record = q->context->obligations->members.data[o->first_member];
  const FlowAccess *first = &q->flow->accesses.data[record];
  return name_of_place(q->context->program, pointsto_object(q->flow->pointsto, o->object),
                       first->offset, q->context->arena);
}

static void tell_story(const CircAsking *q, const CircAnswer *answer, CircTexts *ret) {
  const char *subject = subject_of(q);
  const char *title = subject ? arena_printf(q->context->arena, "no race on %s", subject)
                              : "an assertion never fails";
  circ_story(answer, title, q->deadline, &ret->drawing, &ret->story);
}

/* False: nothing was proved, and nothing sent. */
static bool infer(const CircAsking *q, CircModel *model, bool told) {
  EngineContext *c = q->context;
  CircRequest request = {.model = model,
                         .conflict = circ_edges_conflict,
                         .user = (void *)q,
                         .given = c->options->predicates,
                         .deadline = q->deadline,
                         .stop = c->stop,
                         .tell = tell_round};
  CircAnswer answer;
  circ_run(&request, c->arena, &answer);
  if (q->strict && answer.verdict != CIRC_SAFE) {
    circ_answer_free(&answer);
    return false;
  }
  uint8_t *relied = mem_alloc_zero(c->program->objects.len + 1);
  Relied r = {answer.predicates, relied};
  find_relied(&r);
  const char *subject = subject_of(q);
  log_put(c->log, LOG_INFO,
          "circ: %s: %u rounds, %u predicates, %u local states, %u steps: %s",
          subject ? subject : "an assertion", answer.rounds, answer.predicates->list.len,
          answer.abstraction.tts.locals.len, answer.abstraction.tts.steps.len,
          answer.verdict == CIRC_SAFE       ? "proved"
          : answer.verdict == CIRC_FEASIBLE ? "a run that can be"
          : answer.reason                   ? answer.reason
                                            : "unknown");
  CircTexts texts = {0};
  CircProof proof = {c->program, q->obligation, q->asked, relied, &answer};
  if (answer.verdict == CIRC_SAFE && told) circ_certify(&proof, &texts.certificate);
  if (answer.verdict == CIRC_SAFE && (c->options->stories || c->options->drawings))
    tell_story(q, &answer, &texts);
  circ_record_send(q->fd, q->number, &answer, NULL, relied, c->program->objects.len,
                   &texts);
  circ_texts_free(&texts);
  mem_free(relied);
  circ_answer_free(&answer);
  return true;
}

/* A proof that can be checked is tried first, where that is another question. */
static void answer(const CircAsking *q, CircModel *model, const char *why) {
  EngineContext *c = q->context;
  if (!model) {
    circ_record_send(q->fd, q->number, NULL, why, NULL, 0, NULL);
    return;
  }
  CircTold told = circ_told(c->program, q->flow, c->obligations, q->obligation);
  CircAsking strict = *q;
  double now = clock_now();
  strict.strict = told == CIRC_TOLD_STRICTLY;
  strict.deadline = now + (q->deadline - now) / 2;
  if (strict.strict && infer(&strict, model, true)) return;
  infer(q, model, told == CIRC_TOLD);
}

/* ---- in the parent ---- */

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
    circ_claim(c,
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

static EngineEnd run(EngineContext *c) {
  if (!analyses_flow(c->analyses)) return ENGINE_ENDED;
  circ_claim_elsewhere(c);
  return circ_ask_all(c, "contexts", answer, take_all);
}

const Engine engine_circ = {
    .name = "circ",
    .summary = "predicates and inferred contexts, for any number of threads",
    .tier = TIER_EXPLORE,
    .share = 0.5,
    .rests = ON_FLOW | ON_CONTEXTS,
    .unbounded = true,
    .objection = circ_objection,
    .run = run,
};
