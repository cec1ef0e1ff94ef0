/* Counterexamples: from a run of the machine to events with names.
 *
 * In: the run (rules and states) and the flaw. Out: the steps as the checked process
 * shows them, with the hidden events under their own names; what every component did, and
 * what it is ready for at the end; a sentence. */
#include "csp/explain.h"

#include "csp/machine_chase.h"

#include <stdlib.h>

typedef VEC(char *) Texts;

static char *event_text(Csp *csp, uint32_t event) {
  return str_dup(csp_event_text(csp, event));
}

static void add_event(Csp *csp, Texts *texts, uint32_t event) {
  vec_push(texts, event_text(csp, event));
}

/* ---- chased rules ------------------------------------------------------------------ */

static void add_step(const CspMachine *m, CspPath *path, uint32_t rule,
                     const uint64_t *state) {
  vec_push(&path->rules, rule);
  for (uint32_t w = 0; w < m->words; w++) vec_push(&path->states, state[w]);
}

/* The run with the chased rules written out; they share the state that they lead to. */
static void unfold_path(CspSearch *s) {
  const CspMachine *m = s->machine;
  const uint64_t *states = s->path.states.data;
  CspPath whole = {0};
  CspRuleVec taken = {0};
  CspMoves moves;
  uint32_t loop = s->loop;
  csp_moves_init(&moves, m);
  for (uint32_t w = 0; w < m->words; w++) vec_push(&whole.states, states[w]);
  csp_chase_start(m, &taken);
  for (uint32_t k = 0; k < taken.len; k++) add_step(m, &whole, taken.data[k], states);
  for (uint32_t i = 0; i < s->path.rules.len; i++) {
    const uint64_t *from = states + (size_t)i * m->words, *to = from + m->words;
    if (i == s->loop) loop = whole.rules.len;
    csp_machine_chased(m, from, s->path.rules.data[i], to, &moves, &taken);
    add_step(m, &whole, s->path.rules.data[i], to);
    for (uint32_t k = 0; k < taken.len; k++) add_step(m, &whole, taken.data[k], to);
  }
  csp_moves_free(&moves);
  vec_free(&taken);
  csp_search_free(s);
  s->path = whole;
  s->loop = loop;
}

/* ---- steps ------------------------------------------------------------------------- */

static void explain_steps(Csp *csp, CspSearch *s, CspResult *out) {
  VEC(CspResultStep) steps = {0};
  uint32_t loop = UINT32_MAX;
  for (uint32_t i = 0; i < s->path.rules.len; i++) {
    const CspRule *rule = &s->machine->rules.data[s->path.rules.data[i]];
    if (s->flaw == FLAW_DIVERGENCE && i == s->loop) loop = steps.len;
    bool hidden = rule->event == EVENT_TAU;
    /* Choices and terminations inside have no event to show. */
    uint32_t shown = hidden ? rule->origin : rule->event;
    if (hidden && shown < EVENT_FIRST && s->flaw != FLAW_DIVERGENCE) continue;
    uint32_t origin = rule->origin >= EVENT_FIRST ? rule->origin : shown;
    vec_push(&steps,
             (CspResultStep){event_text(csp, shown), hidden, event_text(csp, origin)});
  }
  out->has_trace = true;
  out->steps = steps.data;
  out->step_count = steps.len;
  out->loop = loop == UINT32_MAX ? steps.len : loop;
}

/* ---- components -------------------------------------------------------------------- */

static void explain_offers(Csp *csp, const CspLts *lts, uint32_t state, CspBehaviour *b) {
  Texts offers = {0};
  uint32_t last = UINT32_MAX - 1;
  for (uint32_t k = lts->first[state]; k < lts->first[state + 1]; k++) {
    uint32_t label = lts->edges[k].label;
    if (label == last || label == LABEL_DONE || label == EVENT_TAU) continue;
    add_event(csp, &offers, label);
    last = label;
  }
  b->offers = offers.data;
  b->offer_count = offers.len;
}

static void explain_components(Csp *csp, CspSearch *s, CspResult *out) {
  CspMachine *m = s->machine;
  VEC(CspBehaviour) list = {0};
  uint32_t *current = mem_alloc_zero((m->components.len + 1) * sizeof *current);
  uint32_t last = s->path.rules.len;
  csp_machine_unpack(m, s->path.states.data + (size_t)last * m->words, current);
  for (uint32_t c = 0; c < m->components.len; c++) {
    if (!m->components.data[c].name) continue;
    CspBehaviour b = {.name = str_dup(m->components.data[c].name)};
    Texts events = {0};
    for (uint32_t i = 0; i < last; i++) {
      const CspRule *rule = &m->rules.data[s->path.rules.data[i]];
      for (uint32_t k = 0; k < rule->count; k++)
        if (rule->parts[k].component == c && rule->parts[k].label != EVENT_TAU &&
            rule->parts[k].label != LABEL_DONE)
          add_event(csp, &events, rule->parts[k].label);
    }
    b.events = events.data;
    b.count = events.len;
    explain_offers(csp, m->components.data[c].lts, current[c], &b);
    vec_push(&list, b);
  }
  mem_free(current);
  out->components = list.data;
  out->component_count = list.len;
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void explain_final_offers(Csp *csp, CspSearch *s, CspResult *out) {
  CspMoves moves;
  Texts offers = {0};
  csp_moves_init(&moves, s->machine);
  csp_machine_moves(s->machine,
                    s->path.states.data + (size_t)s->path.rules.len * s->machine->words,
                    &moves);
  qsort(moves.events, moves.count, sizeof *moves.events, compare_ids);
  for (uint32_t i = 0; i < moves.count; i++)
    if (moves.events[i] != EVENT_TAU &&
        (i == 0 || moves.events[i] != moves.events[i - 1]))
      add_event(csp, &offers, moves.events[i]);
  csp_moves_free(&moves);
  out->offers = offers.data;
  out->offer_count = offers.len;
}

/* What the specification allows or demands at the node. */
static void explain_wanted(Csp *csp, CspSearch *s, CspResult *out) {
  Texts wanted = {0};
  if (s->spec && (s->flaw == FLAW_EVENT || s->flaw == FLAW_REFUSAL)) {
    const CspNormNode *n = &s->spec->nodes.data[s->node];
    for (uint32_t k = 0; k < n->after_count; k++) {
      bool demanded = s->flaw == FLAW_EVENT;
      for (uint32_t i = 0; i < n->acceptance_count && !demanded; i++)
        for (uint32_t *a = n->acceptances[i]; *a != UINT32_MAX; a++)
          demanded |= *a == n->after[k].event;
      if (demanded) add_event(csp, &wanted, n->after[k].event);
    }
  }
  out->wanted = wanted.data;
  out->wanted_count = wanted.len;
}

static char *sentence(Csp *csp, const CspSearch *s) {
  switch (s->flaw) {
  case FLAW_EVENT:
    return str_printf(
        "after this trace it does %s, which the specification does not allow",
        csp_event_text(csp, s->event));
  case FLAW_REFUSAL:
    return str_dup("after this trace it refuses what the specification demands");
  case FLAW_DEADLOCK:
    return str_dup("after this trace nothing is possible any more (deadlock)");
  case FLAW_DIVERGENCE:
    return str_dup("after this trace it can do internal steps for ever (divergence)");
  case FLAW_CHOICE:
    return str_printf("after this trace it may do %s and may refuse it",
                      csp_event_text(csp, s->event));
  case FLAW_NO_TRACE:
    return str_printf(s->model == MODEL_T
                          ? "after this part of the trace it cannot do %s"
                          : "after this part of the trace it may refuse %s",
                      csp_event_text(csp, s->event));
  default: return NULL;
  }
}

void csp_explain(Csp *csp, CspSearch *s, CspResult *out) {
  out->why = sentence(csp, s);
  out->refusal = s->flaw == FLAW_REFUSAL || s->flaw == FLAW_DEADLOCK;
  if (!s->path.states.len) return;
  if (s->machine->chase) unfold_path(s);
  explain_steps(csp, s, out);
  explain_components(csp, s, out);
  explain_final_offers(csp, s, out);
  explain_wanted(csp, s, out);
}
