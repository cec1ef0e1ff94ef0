/* One state of the search: its flaws and its successors.
 *
 * In: a record. Out: the first thing that is wrong with it, or its successors, given to
 * the worker's sink. A record is the packed state and the number of the specification's
 * node. Workers read the stores and write nothing but what is their own, so that any
 * number of them can expand at the same time. */
#include "csp/search_run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void csp_worker_init(CspWorker *w, CspSearchState *run) {
  const CspMachine *m = run->m;
  *w = (CspWorker){.run = run};
  csp_moves_init(&w->moves, m);
  w->packed = csp_lines_new(m->words * sizeof *w->packed);
  w->start = csp_lines_new(m->words * sizeof *w->start);
  w->record = csp_lines_new(m->words * sizeof *w->packed + 16);
  if (run->s->reduce)
    w->reducer = csp_reducer_new(m, run->s->spec != NULL || run->s->divergence);
}

void csp_worker_free(CspWorker *w) {
  csp_moves_free(&w->moves);
  csp_reducer_free(w->reducer);
  vec_free(&w->offered);
  csp_lines_free(w->keep);
  csp_lines_free(w->packed);
  csp_lines_free(w->start);
  csp_lines_free(w->record);
}

void csp_worker_pack(CspWorker *w, const uint64_t *state, uint32_t node) {
  const CspSearchState *run = w->run;
  uint32_t words = run->m->words, at = run->state_bytes / 8;
  unsigned shift = run->state_bytes % 8 * 8;
  uint64_t word = at < words ? state[at] : 0;
  /* Whole words only: bytes written one by one would be slow to read back as words. */
  for (uint32_t i = 0; i < at; i++) memcpy(w->record + 8 * i, &state[i], 8);
  word |= (uint64_t)node << shift;
  memcpy(w->record + 8 * (size_t)at, &word, 8);
  if (shift + 8 * run->node_bytes <= 64) return;
  word = (uint64_t)node >> (64 - shift);
  memcpy(w->record + 8 * (size_t)at + 8, &word, 8);
}

uint32_t csp_worker_load(CspWorker *w, CspRecordId id) {
  const CspSearchState *run = w->run;
  const uint8_t *record = csp_states_at(&run->states, id);
  uint32_t node = 0;
  w->packed[run->m->words - 1] = 0;
  memcpy(w->packed, record, run->state_bytes);
  memcpy(&node, record + run->state_bytes, run->node_bytes);
  assert(!run->s->spec || node < run->s->spec->nodes.len);
  return node;
}

/* The node after a move; UINT32_MAX when the specification does not allow it. */
static uint32_t node_after(const CspWorker *w, uint32_t node, uint32_t event) {
  CspNorm *spec = w->run->s->spec;
  if (!spec || event == EVENT_TAU) return node;
  return csp_norm_after(spec, node, event);
}

/* ---- flaws ------------------------------------------------------------------------- */

static bool flawed(CspWorker *w, CspFlaw flaw, uint32_t node, uint32_t event) {
  w->flaw.flaw = flaw;
  w->flaw.node = node;
  w->flaw.event = event;
  return true;
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Refusals: a stable state, or one that can end, against the acceptances of the node. */
static bool refuses_too_much(CspWorker *w, uint32_t node, const uint32_t *events,
                             uint32_t count) {
  CspNorm *spec = w->run->s->spec;
  bool tau = false, tick = false;
  for (uint32_t i = 0; i < count; i++) {
    tau |= events[i] == EVENT_TAU;
    tick |= events[i] == EVENT_TICK;
  }
  if (tick) {
    uint32_t only = EVENT_TICK;
    return !csp_norm_accepts(spec, node, &only, 1);
  }
  if (tau) return false;
  if (events != w->offered.data) {
    vec_clear(&w->offered);
    for (uint32_t i = 0; i < count; i++) vec_push(&w->offered, events[i]);
  }
  if (count) qsort(w->offered.data, count, sizeof *w->offered.data, compare_ids);
  return !csp_norm_accepts(spec, node, w->offered.data, count);
}

static bool has_flaw(CspWorker *w, uint32_t node, const uint32_t *events,
                     uint32_t count) {
  const CspSearchState *run = w->run;
  const CspSearch *s = run->s;
  if (s->deadlock && count == 0) return flawed(w, FLAW_DEADLOCK, node, 0);
  for (uint32_t i = 0; s->spec && i < count; i++)
    if (node_after(w, node, events[i]) == UINT32_MAX)
      return flawed(w, FLAW_EVENT, node, events[i]);
  if (s->spec && s->model != MODEL_T && refuses_too_much(w, node, events, count))
    return flawed(w, FLAW_REFUSAL, node, 0);
  if (run->diverge && csp_diverges(run->diverge, w->packed, NULL, NULL))
    return flawed(w, FLAW_DIVERGENCE, node, 0);
  return false;
}

/* ---- successors -------------------------------------------------------------------- */

static void all_successors(CspWorker *w, uint32_t node) {
  CspMoves *moves = &w->moves;
  for (uint32_t i = 0; i < moves->count; i++) {
    w->transitions++;
    if (moves->events[i] == EVENT_TICK) continue;
    const uint64_t *to = moves->states + (size_t)i * w->run->m->words;
    if (!w->sink(w, moves->rules[i], to, to, node_after(w, node, moves->events[i])))
      return;
  }
}

/* Whether the state belongs to a later level: it was not expanded yet and will be. */
static bool is_later(CspWorker *w, const uint64_t *state, uint32_t node) {
  csp_worker_pack(w, state, node);
  CspRecordId id = csp_states_find(&w->run->states, w->record);
  return id.number == UINT32_MAX || id.number >= w->run->later[id.shard];
}

/* The successor number i, followed along forced moves. Where a specification watches, a
 * state that was expanded already must not be the end of them: what was put off on the
 * way would be put off for ever. Then the successor stays as it is. */
static void follow(CspWorker *w, uint32_t i, uint32_t node) {
  uint32_t words = w->run->m->words;
  uint64_t *to = w->moves.states + (size_t)i * words;
  memcpy(w->start, to, words * sizeof *to);
  if (csp_chase(w->reducer, &w->moves, to, w->moves.rules[i], NULL) && w->run->s->spec &&
      !is_later(w, to, node))
    memcpy(to, w->start, words * sizeof *to);
}

/* The successors of what is kept (NULL: of all that is ready). With `must_be_later`,
 * nothing is given to the sink unless one of them is; false says that none is. */
static bool some_successors(CspWorker *w, uint32_t node, const bool *keep,
                            bool must_be_later) {
  CspMoves *moves = &w->moves;
  const CspMachine *m = w->run->m;
  bool later = !must_be_later;
  moves->count = 0;
  for (uint32_t i = 0; i < moves->ready_count; i++)
    if (!keep || keep[i]) csp_machine_fire(m, w->packed, moves, moves->ready[i]);
  for (uint32_t i = 0; i < moves->count && !later; i++)
    later = moves->events[i] != EVENT_TICK &&
            is_later(w, moves->states + (size_t)i * m->words,
                     node_after(w, node, moves->events[i]));
  if (!later) return false;
  for (uint32_t i = 0; i < moves->count; i++) {
    w->transitions++;
    if (moves->events[i] == EVENT_TICK) continue;
    uint32_t after = node_after(w, node, moves->events[i]);
    follow(w, i, after);
    if (!w->sink(w, moves->rules[i], w->start, moves->states + (size_t)i * m->words,
                 after))
      break;
  }
  return true;
}

/* Reduced at first; fully when that leads only to what was expanded already, so that no
 * visible move is put off for ever on a circle. Deadlocks need no such care: a deadlock
 * cannot be put off. */
static void reduced_successors(CspWorker *w, uint32_t node) {
  CspMoves *moves = &w->moves;
  if (w->keep_cap < moves->ready_count) {
    uint32_t cap = moves->ready_count * 2;
    w->keep =
        csp_lines_grow(w->keep, w->keep_cap * sizeof *w->keep, cap * sizeof *w->keep);
    w->keep_cap = cap;
  }
  if (csp_reduce(w->reducer, moves, w->keep) &&
      some_successors(w, node, w->keep, w->run->s->spec != NULL))
    return;
  some_successors(w, node, NULL, false);
}

bool csp_worker_expand(CspWorker *w, CspRecordId id) {
  CspSearchState *run = w->run;
  const CspSearch *s = run->s;
  uint32_t node = csp_worker_load(w, id);
  if (s->model == MODEL_FD && s->spec && s->spec->nodes.data[node].diverges) return true;
  if (!w->reducer) {
    csp_machine_moves(run->m, w->packed, &w->moves);
    if (has_flaw(w, node, w->moves.events, w->moves.count)) return false;
    if (!run->full) all_successors(w, node);
    return true;
  }
  csp_machine_ready(run->m, w->packed, &w->moves);
  vec_clear(&w->offered);
  for (uint32_t i = 0; i < w->moves.ready_count; i++)
    vec_push(&w->offered, run->m->fast[w->moves.ready[i].rule].event);
  if (has_flaw(w, node, w->offered.data, w->offered.len)) return false;
  if (!run->full) reduced_successors(w, node);
  return true;
}
