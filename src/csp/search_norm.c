/* Searches that follow the normal form of one process: determinism and given traces; and
 * the writing out of a machine as one explicit system.
 *
 * Determinism: after every trace each stable state must offer every event that is
 * possible at all after the trace. Out comes the shortest trace with an event that may be
 * both done and refused, and a run of the machine that ends in the refusal. */
#include "csp/search.h"

#include <assert.h>
#include <string.h>

/* ---- a run that shows a trace ------------------------------------------------------ */

typedef struct {
  uint32_t at;     /* events of the trace done so far */
  uint32_t parent; /* entry, UINT32_MAX for the first */
  uint32_t rule;
  uint32_t state; /* number in the store */
} Entry;

typedef VEC(Entry) Entries;

static bool refuses(const CspMoves *moves, uint32_t event) {
  for (uint32_t i = 0; i < moves->count; i++)
    if (moves->events[i] == EVENT_TAU || moves->events[i] == event) return false;
  return true;
}

static void copy_path(CspSearch *s, const CspStore *store, const Entries *entries,
                      uint32_t last, uint32_t words) {
  VEC(uint32_t) back = {0};
  for (uint32_t e = last; e != UINT32_MAX; e = entries->data[e].parent)
    vec_push(&back, e);
  for (uint32_t i = back.len; i-- > 0;) {
    const Entry *e = &entries->data[back.data[i]];
    uint64_t word;
    const uint8_t *record = csp_store_at(store, e->state);
    for (uint32_t w = 0; w < words; w++) {
      memcpy(&word, record + 8 * w, 8);
      vec_push(&s->path.states, word);
    }
    if (i + 1 < back.len) vec_push(&s->path.rules, e->rule);
  }
  vec_free(&back);
}

/* The shortest run with this trace; with `refused` (not UINT32_MAX) one that ends in a
 * stable state without that event. False when there is none. */
static bool find_run(CspSearch *s, const uint32_t *trace, uint32_t count,
                     uint32_t refused) {
  CspMachine *m = s->machine;
  CspStore seen, states;
  CspMoves moves;
  Entries entries = {0};
  uint32_t words = m->words, *key = mem_alloc_zero(8);
  uint64_t *state = mem_alloc_zero((words + 1) * sizeof *state);
  bool fresh, success = false;
  csp_store_init(&states, words * 8, NULL);
  csp_store_init(&seen, 8, NULL);
  csp_moves_init(&moves, m);
  csp_machine_start(m, state);
  vec_push(&entries, (Entry){0, UINT32_MAX, 0, csp_store_add(&states, state, &fresh)});
  csp_store_add(&seen, key, &fresh);
  for (uint32_t e = 0; e < entries.len && !success; e++) {
    Entry entry = entries.data[e];
    memcpy(state, csp_store_at(&states, entry.state), words * 8);
    csp_machine_moves(m, state, &moves);
    if (entry.at == count && (refused == UINT32_MAX || refuses(&moves, refused))) {
      copy_path(s, &states, &entries, e, words);
      success = true;
    }
    for (uint32_t i = 0; i < moves.count && !success; i++) {
      bool silent = moves.events[i] == EVENT_TAU;
      if (!silent && (entry.at == count || moves.events[i] != trace[entry.at])) continue;
      uint32_t to = csp_store_add(&states, moves.states + (size_t)i * words, &fresh);
      key[0] = to;
      key[1] = entry.at + !silent;
      csp_store_add(&seen, key, &fresh);
      if (fresh) vec_push(&entries, (Entry){entry.at + !silent, e, moves.rules[i], to});
    }
  }
  csp_store_free(&states);
  csp_store_free(&seen);
  csp_moves_free(&moves);
  vec_free(&entries);
  mem_free(key);
  mem_free(state);
  return success;
}

/* ---- determinism ------------------------------------------------------------------- */

typedef struct {
  uint32_t parent, event;
} Step;

typedef VEC(Step) StepVec;
typedef VEC(uint32_t) Trace;

static void trace_to(const StepVec *steps, uint32_t node, Trace *out) {
  Trace back = {0};
  for (; steps->data[node].parent != UINT32_MAX; node = steps->data[node].parent)
    vec_push(&back, steps->data[node].event);
  for (uint32_t i = back.len; i-- > 0;) vec_push(out, back.data[i]);
  vec_free(&back);
}

/* An event of the node that one of its acceptances lacks, or UINT32_MAX. */
static uint32_t undecided_event(const CspNormNode *n) {
  for (uint32_t i = 0; i < n->acceptance_count; i++) {
    const uint32_t *a = n->acceptances[i];
    for (uint32_t k = 0; k < n->after_count; k++) {
      while (*a < n->after[k].event) a++;
      if (*a != n->after[k].event) return n->after[k].event;
    }
  }
  return UINT32_MAX;
}

static bool norm_within_limits(CspSearch *s, const CspNorm *norm) {
  const CspLimits *limits = &s->csp->limits;
  uint64_t used = csp_norm_memory(norm);
  if (limits->memory && used > limits->memory)
    s->reason = "the memory limit was reached";
  else if (limits->states && norm->states.count > limits->states)
    s->reason = "too many states";
  else if (s->csp->stop && atomic_load(s->csp->stop))
    s->reason = "the time is over";
  else
    return true;
  s->gave_up = true;
  return false;
}

void csp_search_deterministic(CspSearch *s) {
  CspNorm norm;
  StepVec steps = {0};
  Trace trace = {0};
  csp_norm_init(&norm, s->csp, s->machine);
  vec_push(&steps, (Step){UINT32_MAX, 0});
  progress_phase(s->csp->progress, "states", 0);
  for (uint32_t n = 0; n < norm.nodes.len && s->flaw == FLAW_NONE; n++) {
    assert(n < steps.len);
    if (!norm_within_limits(s, &norm)) break;
    if (s->model == MODEL_FD && norm.nodes.data[n].diverges) s->flaw = FLAW_DIVERGENCE;
    uint32_t event = undecided_event(&norm.nodes.data[n]);
    if (s->flaw == FLAW_NONE && event != UINT32_MAX) {
      s->flaw = FLAW_CHOICE;
      s->event = event;
    }
    if (s->flaw != FLAW_NONE) {
      trace_to(&steps, n, &trace);
      break;
    }
    for (uint32_t k = 0; k < norm.nodes.data[n].after_count; k++) {
      uint32_t e = norm.nodes.data[n].after[k].event;
      if (e == EVENT_TICK) continue;
      csp_norm_after(&norm, n, e);
      while (steps.len < norm.nodes.len) vec_push(&steps, (Step){n, e});
    }
    progress_step(s->csp->progress, 1, NULL);
  }
  s->states = norm.states.count;
  s->memory = csp_store_memory(&norm.states);
  csp_norm_free(&norm);
  if (s->flaw == FLAW_CHOICE && !find_run(s, trace.data, trace.len, s->event))
    find_run(s, trace.data, trace.len, UINT32_MAX);
  if (s->flaw == FLAW_DIVERGENCE) {
    CspSearch lasso = {
        .csp = s->csp, .machine = s->machine, .model = MODEL_FD, .divergence = true};
    csp_search_run(&lasso);
    s->path = lasso.path;
    s->loop = lasso.loop;
  }
  vec_free(&steps);
  vec_free(&trace);
}

/* ---- traces ------------------------------------------------------------------------ */

void csp_search_trace(CspSearch *s, const uint32_t *trace, uint32_t count) {
  CspNorm norm;
  uint32_t node = 0, at = 0;
  bool must = s->model != MODEL_T, may_refuse = false;
  csp_norm_init(&norm, s->csp, s->machine);
  for (; at < count; at++) {
    if (!norm_within_limits(s, &norm)) break;
    const CspNormNode *n = &norm.nodes.data[node];
    if (s->model == MODEL_FD && n->diverges) {
      s->flaw = FLAW_DIVERGENCE;
      break;
    }
    for (uint32_t i = 0; i < n->acceptance_count && must && !may_refuse; i++) {
      const uint32_t *a = n->acceptances[i];
      while (*a < trace[at]) a++;
      may_refuse = *a != trace[at];
    }
    uint32_t after = may_refuse ? UINT32_MAX : csp_norm_after(&norm, node, trace[at]);
    if (after == UINT32_MAX) {
      s->flaw = FLAW_NO_TRACE;
      s->event = trace[at];
      break;
    }
    node = after;
  }
  s->states = norm.states.count;
  csp_norm_free(&norm);
  if (s->gave_up) return;
  if (!(may_refuse && find_run(s, trace, at, s->event)))
    find_run(s, trace, at, UINT32_MAX);
}

/* ---- explicit systems -------------------------------------------------------------- */

CspLts *csp_machine_explicate(CspMachine *m, uint64_t limit, CspPlace place) {
  CspLtsBuilder b = {.csp = m->csp};
  CspStore store;
  CspMoves moves;
  uint64_t *state = mem_alloc_zero(m->words * sizeof *state);
  uint32_t done = UINT32_MAX;
  bool fresh;
  csp_store_init(&store, m->words * 8, NULL);
  csp_moves_init(&moves, m);
  csp_machine_start(m, state);
  csp_store_add(&store, state, &fresh);
  VEC(CspEdge) edges = {0};
  VEC(uint32_t) firsts = {0};
  for (uint32_t at = 0; at < store.count && store.count <= limit; at++) {
    if (m->csp->stop && atomic_load(m->csp->stop)) break;
    memcpy(state, csp_store_at(&store, at), m->words * 8);
    csp_machine_moves(m, state, &moves);
    vec_push(&firsts, edges.len);
    for (uint32_t i = 0; i < moves.count; i++) {
      uint32_t to = UINT32_MAX;
      if (moves.events[i] != EVENT_TICK)
        to = csp_store_add(&store, moves.states + (size_t)i * m->words, &fresh);
      vec_push(&edges, (CspEdge){moves.events[i], to});
    }
  }
  bool stopped = firsts.len<store.count, too_many = store.count> limit;
  /* The terminated state comes last: its number is known only now. */
  for (uint32_t s = 0; s < firsts.len && !stopped; s++) {
    uint32_t end = s + 1 < firsts.len ? firsts.data[s + 1] : edges.len;
    csp_lts_begin_state(&b);
    for (uint32_t k = firsts.data[s]; k < end; k++) {
      if (edges.data[k].target == UINT32_MAX) done = firsts.len;
      csp_lts_edge(&b, edges.data[k].label,
                   edges.data[k].target == UINT32_MAX ? firsts.len
                                                      : edges.data[k].target);
    }
  }
  if (done != UINT32_MAX) {
    csp_lts_begin_state(&b);
    csp_lts_edge(&b, LABEL_DONE, done);
  }
  csp_store_free(&store);
  csp_moves_free(&moves);
  vec_free(&edges);
  vec_free(&firsts);
  mem_free(state);
  if (stopped) {
    csp_lts_drop(&b);
    if (!too_many) csp_check_limits(m->csp, place);
    csp_limit(m->csp, place, "compress smaller parts, or raise --component",
              "the process to be compressed has more than %llu states",
              (unsigned long long)limit);
  }
  return csp_lts_finish(&b);
}
