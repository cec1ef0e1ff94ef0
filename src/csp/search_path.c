/* The run to a flaw, found backwards.
 *
 * In: the flawed record and the levels before it. Out: the states and rules from the
 * first state on. No predecessors are kept in the search: the records of the depth before
 * are expanded again, in their order, until one leads to the wanted record. The same
 * rules of reduction apply, so that the same successors come out; forced moves, whose
 * states were never stored, are followed once more and written down. */
#include "csp/search_run.h"

#include <string.h>

typedef struct {
  const uint8_t *wanted; /* the record looked for */
  bool found;
  uint32_t rule;
  uint64_t *start; /* where the rule leads, before forced moves */
} Hunt;

static bool compare_with_wanted(CspWorker *w, uint32_t rule, const uint64_t *start,
                                const uint64_t *state, uint32_t node) {
  Hunt *hunt = w->sink_user;
  csp_worker_pack(w, state, node);
  if (memcmp(w->record, hunt->wanted, w->run->states.bytes) != 0) return true;
  hunt->found = true;
  hunt->rule = rule;
  memcpy(hunt->start, start, w->run->m->words * sizeof *start);
  return false;
}

/* From one record to the next: by the first rule to `start`, by forced ones from
 * there. */
typedef struct {
  CspRecordId from;
  CspRuleVec rules;
  uint64_t *start;
} Leap;

typedef VEC(Leap) Leaps;

static void find_before(CspWorker *w, uint32_t depth, CspRecordId target, Leaps *leaps) {
  CspSearchState *run = w->run;
  size_t size = run->m->words * sizeof(uint64_t);
  CspLevel level;
  Leap leap = {.start = mem_alloc_zero(size)};
  Hunt hunt = {.wanted = csp_states_at(&run->states, target), .start = leap.start};
  csp_states_level(&run->states, depth, &level);
  w->sink = compare_with_wanted;
  w->sink_user = &hunt;
  run->later = level.end;
  for (uint64_t at = 0; at < level.before[CSP_SHARDS] && !hunt.found; at++) {
    leap.from = csp_level_at(&level, at);
    csp_worker_expand(w, leap.from);
  }
  run->later = NULL;
  assert(hunt.found);
  vec_push(&leap.rules, hunt.rule);
  if (w->reducer && memcmp(leap.start, hunt.wanted, run->state_bytes) != 0) {
    /* The moves of the worker still stand for the state it came from. */
    uint64_t *state = mem_dup(leap.start, size);
    csp_chase(w->reducer, &w->moves, state, hunt.rule, &leap.rules);
    mem_free(state);
  }
  vec_push(leaps, leap);
}

static void push_state(const CspSearchState *run, const uint64_t *state) {
  for (uint32_t w = 0; w < run->m->words; w++) vec_push(&run->s->path.states, state[w]);
}

/* Appends the rule and the state after it; `wanted` (or NULL) chooses among several. */
static void take(CspWorker *w, uint64_t *state, uint32_t rule, const uint64_t *wanted) {
  CspSearchState *run = w->run;
  uint32_t words = run->m->words, chosen = UINT32_MAX;
  csp_machine_moves(run->m, state, &w->moves);
  for (uint32_t i = 0; i < w->moves.count && chosen == UINT32_MAX; i++)
    if (w->moves.rules[i] == rule &&
        (!wanted ||
         memcmp(w->moves.states + (size_t)i * words, wanted, run->state_bytes) == 0))
      chosen = i;
  assert(chosen != UINT32_MAX);
  memcpy(state, w->moves.states + (size_t)chosen * words, words * sizeof *state);
  vec_push(&run->s->path.rules, rule);
  push_state(run, state);
}

/* A move that the specification does not allow is the last step of the run. */
static void take_forbidden(CspWorker *w, uint64_t *state) {
  CspSearchState *run = w->run;
  csp_machine_moves(run->m, state, &w->moves);
  for (uint32_t i = 0; i < w->moves.count; i++)
    if (w->moves.events[i] == run->s->event) {
      vec_push(&run->s->path.rules, w->moves.rules[i]);
      push_state(run, w->moves.states + (size_t)i * run->m->words);
      return;
    }
}

void csp_search_path(CspSearchState *run, CspRecordId flawed) {
  CspWorker *w = &run->workers[0];
  Leaps leaps = {0};
  CspDiverge *diverge = run->diverge;
  CspRecordId target = flawed;
  uint64_t *state = mem_alloc_zero(run->m->words * sizeof *state);
  run->diverge = NULL; /* what comes before the flaw has none */
  run->full = false;
  for (uint32_t depth = run->depth; depth-- > 0;) {
    find_before(w, depth, target, &leaps);
    target = vec_last(&leaps)->from;
  }
  csp_machine_start(run->m, state);
  push_state(run, state);
  for (uint32_t i = leaps.len; i-- > 0;) {
    Leap *leap = &leaps.data[i];
    for (uint32_t k = 0; k < leap->rules.len; k++)
      take(w, state, leap->rules.data[k], k == 0 ? leap->start : NULL);
    vec_free(&leap->rules);
    mem_free(leap->start);
  }
  vec_free(&leaps);
  if (run->s->flaw == FLAW_EVENT) take_forbidden(w, state);
  if (run->s->flaw == FLAW_DIVERGENCE) {
    CspDiverge *d = csp_diverge_new(run->m);
    csp_diverges(d, state, &run->s->path, &run->s->loop);
    csp_diverge_free(d);
  }
  run->diverge = diverge;
  mem_free(state);
}
