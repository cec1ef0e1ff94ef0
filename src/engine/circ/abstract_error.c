/* Errors of the abstraction: who is next to do what is asked about, and which two may be. */
#include "engine/circ/abstract_internal.h"

#include <assert.h>

/* What was given, and what was found out. */
static Term known_of(Abstracter *x, const TermList *given, const TermList *what,
                     uint64_t bits) {
  Terms *t = x->model->terms;
  Term all = term_bool(t, true);
  for (uint32_t i = 0; i < given->len; i++) all = term_and(t, all, given->data[i]);
  for (uint32_t i = 0; i < what->len; i++)
    all = term_and(t, all, bits >> i & 1 ? what->data[i] : term_not(t, what->data[i]));
  return all;
}

bool circ_add_ready(Abstracter *x, uint32_t local, CircLabel label, uint32_t event) {
  Tts *tts = &x->out->tts;
  const CircEvent *e = &x->model->kinds.data[label.kind].events.data[event];
  Term guard = e->guard;
  const CircCounter *counter =
      e->counter ? &x->model->counters.data[e->counter - 1] : NULL;
  if (counter && (!counter->awake || counter->broken)) return true;
  uint32_t location = tts->locals.data[local].location;
  BlockPlan plan = {0};
  TermList given = {0};
  Combinations found = {0};
  circ_plan_condition(x, label.kind, location, guard, e->address, &plan);
  vec_push(&given, guard);
  circ_give_valuation(x, local, &plan, &given);
  circ_give_count(x, label.kind, &plan, &given);
  bool known = plan.what.len <= 64 &&
               circ_enumerate(x->q->solver, &given, &plan.what, &x->q->limit, &found);
  if (!known) x->why = "an error depends on too many predicates, or the time was over";
  for (uint32_t i = 0; known && i < found.len; i++) {
    Ready ready = {local, label, event, tts->touches.len, plan.groups.len, 0};
    uint32_t at = 0;
    ready.known = known_of(x, &given, &plan.what, found.data[i]);
    for (uint32_t n = 0; n < plan.groups.len; n++) {
      uint32_t g = plan.groups.data[n];
      uint32_t v =
          circ_group_value(x, g, circ_cut(found.data[i], &at, circ_group_size(x, g)));
      vec_push(&tts->touches, (TtsTouch){g, v, v});
    }
    assert(at == plan.what.len); /* nothing is written, nothing asked about locals */
    vec_push(&x->out->ready, ready);
  }
  vec_free(&given);
  circ_plan_free(&plan);
  return known;
}

/* The touches of both, or false if they contradict each other. */
static bool join_touches(Tts *tts, const Ready *a, const Ready *b, TtsError *error) {
  uint32_t first = tts->touches.len;
  for (uint32_t i = 0; i < a->touch_count; i++) {
    TtsTouch t = tts->touches.data[a->first_touch + i];
    vec_push(&tts->touches, t);
  }
  for (uint32_t i = 0; i < b->touch_count; i++) {
    TtsTouch t = tts->touches.data[b->first_touch + i];
    bool there = false;
    for (uint32_t j = first; j < tts->touches.len; j++) {
      if (tts->touches.data[j].group != t.group) continue;
      there = true;
      if (tts->touches.data[j].before == t.before) continue;
      tts->touches.len = first;
      return false;
    }
    if (!there) vec_push(&tts->touches, t);
  }
  error->first_touch = first;
  error->touch_count = tts->touches.len - first;
  return true;
}

static const CircEvent *event_of(const Abstracter *x, const Ready *r) {
  return &x->model->kinds.data[r->label.kind].events.data[r->event];
}

/* It is an error of one thread. */
static bool is_assertion(const Abstracter *x, const Ready *r) {
  if (event_of(x, r)->counter) return true;
  return program_edge(x->model->question.program, event_of(x, r)->edge)->op == OP_ASSERT;
}

static void add_error(Abstracter *x, const Ready *a, const Ready *b) {
  Tts *tts = &x->out->tts;
  TtsError error = {.locals = {a->local, b ? b->local : TTS_NONE},
                    .label = x->out->errors.len};
  CircErrorLabel label = {.at = {a->label}, .event = {a->event}, .count = b ? 2 : 1};
  Ready nobody = {0};
  if (!join_touches(tts, a, b ? b : &nobody, &error)) return;
  if (b) {
    label.at[1] = b->label;
    label.event[1] = b->event;
  }
  vec_push(&x->out->errors, label);
  vec_push(&tts->errors, error);
  assert(tts->errors.len == x->out->errors.len);
}

/* Who may be in one of several states may do what any of them does. */
static void ready_if_unsure(Abstracter *x) {
  uint32_t count = x->out->ready.len;
  for (uint32_t u = 0; u < x->unsure.len; u++)
    for (uint32_t m = 0; m < x->unsure.data[u].members.len; m++)
      for (uint32_t i = 0; i < count; i++) {
        Ready ready = x->out->ready.data[i];
        if (ready.local != x->unsure.data[u].members.data[m]) continue;
        ready.local = x->unsure.data[u].local;
        vec_push(&x->out->ready, ready);
      }
}

/* Two of these races, unless they are always at different bytes. */
static bool add_pair(Abstracter *x, uint32_t i, uint32_t j, uint32_t sure) {
  const Ready *a = &x->out->ready.data[i], *b = &x->out->ready.data[j];
  bool may = true;
  if (!circ_may_meet(x, a, b, &may)) {
    x->why = "whether two accesses meet was not decided, or the time was over";
    return false;
  }
  if (may)
    add_error(x, a, b);
  else if (i < sure && j < sure) /* others stand for one of these */
    vec_push(&x->out->apart, ((CircApart){i, j}));
  return true;
}

bool circ_pair_up(Abstracter *x) {
  uint32_t sure = x->out->ready.len;
  ready_if_unsure(x);
  for (uint32_t i = 0; i < x->out->ready.len; i++) {
    const Ready *a = &x->out->ready.data[i];
    if (is_assertion(x, a)) {
      add_error(x, a, NULL);
      continue;
    }
    for (uint32_t j = i; j < x->out->ready.len; j++) {
      const Ready *b = &x->out->ready.data[j];
      if (is_assertion(x, b)) continue;
      bool same_kind = a->label.kind == b->label.kind;
      if (same_kind && !x->model->kinds.data[a->label.kind].many) continue;
      if (event_of(x, a)->inside && event_of(x, b)->inside) continue;
      if (x->q->conflict(x->q->user, event_of(x, a)->edge, event_of(x, b)->edge) &&
          !add_pair(x, i, j, sure))
        return false;
    }
  }
  return true;
}
