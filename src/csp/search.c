/* Breadth-first search of implementation × normal form.
 *
 * In: a machine, the normal form of the specification, and what to look for. Out: the
 * first flaw in order of depth, with a shortest run of the machine to it, or none.
 *
 * A record is the packed state and the number of the specification's node. Records are
 * numbered in the order of discovery, so that the queue is the store itself and a depth
 * is a range of numbers. No parents are kept: the run to a flaw is found backwards, by
 * expanding the records of the depth before until one leads to the wanted record. */
#include "csp/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  CspSearch *s;
  CspMachine *m;
  CspStore store;
  CspMoves moves;
  VEC(uint32_t) depths; /* first record of each depth */
  uint32_t state_bytes, node_bytes;
  uint64_t *packed; /* scratch: the state being expanded */
  uint8_t *record;  /* scratch */
  VEC(uint32_t) offered;
  /* divergence: colours of states of the machine */
  CspStore colours;
  VEC(uint8_t) colour;
  CspMoves tau_moves;
  struct CspReducer *reducer;
  bool *keep;
  uint32_t keep_cap;
} Run;

enum { WHITE, GREY, BLACK };

/* ---- records ----------------------------------------------------------------------- */

static void pack_record(Run *r, const uint64_t *state, uint32_t node) {
  memcpy(r->record, state, r->state_bytes);
  memcpy(r->record + r->state_bytes, &node, r->node_bytes);
}

static uint32_t unpack_record(Run *r, uint32_t number, uint64_t *state) {
  const uint8_t *record = csp_store_at(&r->store, number);
  uint32_t node = 0;
  state[r->m->words - 1] = 0;
  memcpy(state, record, r->state_bytes);
  memcpy(&node, record + r->state_bytes, r->node_bytes);
  return node;
}

/* Small specifications are normalised at once, so that their nodes need one or two bytes.
 * */
static uint32_t bytes_for_nodes(CspNorm *spec) {
  if (!spec) return 0;
  for (uint32_t n = 0; n < spec->nodes.len; n++) {
    for (uint32_t k = 0; k < spec->nodes.data[n].after_count; k++)
      if (spec->nodes.data[n].after[k].event != EVENT_TICK)
        csp_norm_after(spec, n, spec->nodes.data[n].after[k].event);
    if (spec->nodes.len > 60000 || spec->states.count > 100000) return 4;
  }
  return spec->nodes.len == 1 ? 0 : spec->nodes.len <= 256 ? 1 : 2;
}

static void run_init(Run *r, CspSearch *s) {
  *r = (Run){.s = s, .m = s->machine};
  r->state_bytes = (s->machine->bits + 7) / 8;
  r->node_bytes = bytes_for_nodes(s->spec);
  csp_store_init(&r->store, r->state_bytes + r->node_bytes);
  csp_moves_init(&r->moves, r->m);
  csp_moves_init(&r->tau_moves, r->m);
  csp_store_init(&r->colours, r->state_bytes);
  r->packed = mem_alloc_zero(r->m->words * sizeof *r->packed);
  r->record = mem_alloc_zero(r->m->words * sizeof *r->packed + 8);
  if (s->reduce) r->reducer = csp_reducer_new(r->m, s->spec != NULL || s->divergence);
}

static void run_free(Run *r) {
  csp_store_free(&r->store);
  csp_store_free(&r->colours);
  csp_moves_free(&r->moves);
  csp_moves_free(&r->tau_moves);
  vec_free(&r->depths);
  vec_free(&r->offered);
  vec_free(&r->colour);
  csp_reducer_free(r->reducer);
  mem_free(r->keep);
  mem_free(r->packed);
  mem_free(r->record);
}

/* ---- the run to a record ----------------------------------------------------------- */

static void push_state(const Run *r, CspPath *path, const uint64_t *state) {
  for (uint32_t w = 0; w < r->m->words; w++) vec_push(&path->states, state[w]);
}

/* The node after a move; UINT32_MAX when the specification does not allow it. */
static uint32_t node_after(const Run *r, uint32_t node, uint32_t event) {
  if (!r->s->spec || event == EVENT_TAU) return node;
  return csp_norm_after(r->s->spec, node, event);
}

static bool leads_to(Run *r, uint32_t from, uint32_t to, uint64_t *state,
                     uint32_t *ret_rule) {
  uint32_t node = unpack_record(r, from, state);
  csp_machine_moves(r->m, state, &r->moves);
  const uint8_t *wanted = csp_store_at(&r->store, to);
  for (uint32_t i = 0; i < r->moves.count; i++) {
    if (r->moves.events[i] == EVENT_TICK) continue;
    uint32_t after = node_after(r, node, r->moves.events[i]);
    if (after == UINT32_MAX) continue;
    pack_record(r, r->moves.states + (size_t)i * r->m->words, after);
    if (memcmp(r->record, wanted, r->store.bytes) == 0) {
      *ret_rule = r->moves.rules[i];
      return true;
    }
  }
  return false;
}

static void trace_back(Run *r, uint32_t target) {
  CspPath *path = &r->s->path;
  VEC(uint32_t) records = {0}, rules = {0};
  uint64_t *state = mem_alloc_zero(r->m->words * sizeof *state);
  uint32_t depth = r->depths.len - 1;
  while (depth > 0 && target < r->depths.data[depth]) depth--;
  vec_push(&records, target);
  for (; depth > 0; depth--) {
    uint32_t rule = 0, from = r->depths.data[depth - 1];
    while (from < r->depths.data[depth] && !leads_to(r, from, target, state, &rule))
      from++;
    assert(from < r->depths.data[depth]);
    vec_push(&rules, rule);
    vec_push(&records, from);
    target = from;
  }
  for (uint32_t i = records.len; i-- > 0;) {
    unpack_record(r, records.data[i], state);
    push_state(r, path, state);
  }
  for (uint32_t i = rules.len; i-- > 0;) vec_push(&path->rules, rules.data[i]);
  vec_free(&records);
  vec_free(&rules);
  mem_free(state);
}

static void found(Run *r, CspFlaw flaw, uint32_t number, uint32_t node) {
  r->s->flaw = flaw;
  r->s->node = node;
  trace_back(r, number);
}

/* ---- divergence -------------------------------------------------------------------- */

static uint32_t colour_number(Run *r, const uint64_t *state) {
  bool fresh;
  memset(r->record, 0, r->store.bytes);
  memcpy(r->record, state, r->state_bytes);
  uint32_t n = csp_store_add(&r->colours, r->record, &fresh);
  if (fresh) vec_push(&r->colour, WHITE);
  return n;
}

typedef struct {
  uint32_t number;    /* of the state among the coloured ones */
  uint32_t next, end; /* its internal successors in `pending` */
  uint32_t rule;      /* by which it was entered */
} Visit;

typedef struct {
  uint32_t number, rule;
} Pending;

typedef VEC(Visit) Visits;
typedef VEC(Pending) Pendings;

static void open_visit(Run *r, Visits *stack, Pendings *pending, uint32_t number,
                       uint32_t rule, uint64_t *state) {
  r->colour.data[number] = GREY;
  state[r->m->words - 1] = 0;
  memcpy(state, csp_store_at(&r->colours, number), r->state_bytes);
  csp_machine_moves(r->m, state, &r->tau_moves);
  uint32_t first = pending->len;
  for (uint32_t i = 0; i < r->tau_moves.count; i++)
    if (r->tau_moves.events[i] == EVENT_TAU) {
      uint32_t to = colour_number(r, r->tau_moves.states + (size_t)i * r->m->words);
      vec_push(pending, (Pending){to, r->tau_moves.rules[i]});
    }
  vec_push(stack, (Visit){number, first, pending->len, rule});
}

/* The circle found: from the flawed state along the stack, and back into it. */
static void record_circle(Run *r, const Visits *stack, uint32_t into, uint32_t rule,
                          uint64_t *state) {
  CspPath *path = &r->s->path;
  r->s->loop = path->rules.len;
  for (uint32_t i = 0; i < stack->len; i++)
    if (stack->data[i].number == into) r->s->loop = path->rules.len + i;
  for (uint32_t i = 1; i < stack->len; i++) {
    state[r->m->words - 1] = 0;
    memcpy(state, csp_store_at(&r->colours, stack->data[i].number), r->state_bytes);
    vec_push(&path->rules, stack->data[i].rule);
    push_state(r, path, state);
  }
  state[r->m->words - 1] = 0;
  memcpy(state, csp_store_at(&r->colours, into), r->state_bytes);
  vec_push(&path->rules, rule);
  push_state(r, path, state);
}

/* Depth-first search along internal steps; every state is visited once in all searches.
 * */
static bool diverges(Run *r, const uint64_t *from, uint32_t record, uint32_t node) {
  uint32_t start = colour_number(r, from);
  if (r->colour.data[start] == BLACK) return false;
  Visits stack = {0};
  Pendings pending = {0};
  uint64_t *state = mem_alloc_zero(r->m->words * sizeof *state);
  bool circle = false;
  open_visit(r, &stack, &pending, start, 0, state);
  while (stack.len && !circle) {
    Visit *top = vec_last(&stack);
    if (top->next == top->end) {
      r->colour.data[top->number] = BLACK;
      stack.len--;
      pending.len = stack.len ? vec_last(&stack)->end : 0;
      continue;
    }
    Pending p = pending.data[top->next++];
    if (r->colour.data[p.number] == GREY) {
      found(r, FLAW_DIVERGENCE, record, node);
      record_circle(r, &stack, p.number, p.rule, state);
      circle = true;
    } else if (r->colour.data[p.number] == WHITE) {
      open_visit(r, &stack, &pending, p.number, p.rule, state);
    }
  }
  vec_free(&stack);
  vec_free(&pending);
  mem_free(state);
  return circle;
}

/* ---- one state --------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Refusals: a stable state, or one that can end, against the acceptances of the node. */
static bool refuses_too_much(Run *r, uint32_t node) {
  bool tau = false, tick = false;
  vec_clear(&r->offered);
  for (uint32_t i = 0; i < r->moves.count; i++) {
    tau |= r->moves.events[i] == EVENT_TAU;
    tick |= r->moves.events[i] == EVENT_TICK;
    vec_push(&r->offered, r->moves.events[i]);
  }
  if (tick) {
    uint32_t only = EVENT_TICK;
    return !csp_norm_accepts(r->s->spec, node, &only, 1);
  }
  if (tau) return false;
  if (r->offered.len)
    qsort(r->offered.data, r->offered.len, sizeof *r->offered.data, compare_ids);
  return !csp_norm_accepts(r->s->spec, node, r->offered.data, r->offered.len);
}

/* A move that the specification does not allow is the last step of the run. */
static void found_event(Run *r, uint32_t number, uint32_t node, uint32_t move) {
  uint32_t rule = r->moves.rules[move], event = r->moves.events[move],
           words = r->m->words;
  uint64_t *to = mem_dup(r->moves.states + (size_t)move * words, words * sizeof *to);
  found(r, FLAW_EVENT, number, node);
  r->s->event = event;
  vec_push(&r->s->path.rules, rule);
  push_state(r, &r->s->path, to);
  mem_free(to);
}

/* Adds the successors; those that a reduction leaves out only when `all`. */
static bool add_successors(Run *r, uint32_t number, uint32_t node, bool all,
                           bool *ret_fresh) {
  for (uint32_t i = 0; i < r->moves.count; i++) {
    uint32_t event = r->moves.events[i];
    if (!all && !r->keep[i]) continue;
    r->s->transitions++;
    uint32_t after = node_after(r, node, event);
    if (after == UINT32_MAX) {
      found_event(r, number, node, i);
      return false;
    }
    if (event == EVENT_TICK) continue;
    bool fresh;
    pack_record(r, r->moves.states + (size_t)i * r->m->words, after);
    csp_store_add(&r->store, r->record, &fresh);
    *ret_fresh |= fresh;
  }
  return true;
}

/* Reduced at first; fully when nothing new came of it, so that no visible move is put off
 * for ever on a circle. Deadlocks need no such care: a deadlock cannot be put off. */
static bool expand_reduced(Run *r, uint32_t number, uint32_t node) {
  bool fresh = false;
  if (r->keep_cap < r->moves.count) {
    r->keep_cap = r->moves.count * 2;
    r->keep = mem_realloc(r->keep, r->keep_cap * sizeof *r->keep);
  }
  if (!r->reducer || !csp_reduce(r->reducer, &r->moves, r->keep))
    return add_successors(r, number, node, true, &fresh);
  if (!add_successors(r, number, node, false, &fresh)) return false;
  return fresh || !r->s->spec || add_successors(r, number, node, true, &fresh);
}

/* False when a flaw was found. */
static bool expand(Run *r, uint32_t number) {
  CspSearch *s = r->s;
  uint32_t node = unpack_record(r, number, r->packed);
  bool chaotic = s->model == MODEL_FD && s->spec && s->spec->nodes.data[node].diverges;
  if (chaotic) return true;
  csp_machine_moves(r->m, r->packed, &r->moves);
  if (s->deadlock && r->moves.count == 0) {
    found(r, FLAW_DEADLOCK, number, node);
    return false;
  }
  if (s->spec && s->model != MODEL_T && refuses_too_much(r, node)) {
    found(r, FLAW_REFUSAL, number, node);
    return false;
  }
  if (s->divergence && diverges(r, r->packed, number, node)) return false;
  return expand_reduced(r, number, node);
}

/* ---- the search -------------------------------------------------------------------- */

static bool within_limits(Run *r) {
  CspSearch *s = r->s;
  Csp *csp = s->csp;
  const CspLimits *limits = &csp->limits;
  s->memory = csp_store_memory(&r->store) + csp_store_memory(&r->colours);
  if (limits->memory && s->memory + arena_used(csp->arena) > limits->memory)
    s->reason = arena_printf(csp->arena, "more than %llu MiB would be needed",
                             (unsigned long long)(limits->memory >> 20));
  else if (limits->states && r->store.count > limits->states)
    s->reason = arena_printf(csp->arena, "more than %llu states",
                             (unsigned long long)limits->states);
  else if (r->store.count >= UINT32_MAX - 1)
    s->reason = "more than 4294967294 states";
  else if (csp->stop && atomic_load(csp->stop))
    s->reason = "the time is over";
  else
    return true;
  s->gave_up = true;
  return false;
}

static void show_progress(Run *r, uint32_t at, uint32_t *shown) {
  if (!r->s->csp->progress || (at & 0x3fff) != 0) return;
  char detail[80];
  snprintf(detail, sizeof detail, "depth %u, %llu waiting", r->depths.len,
           (unsigned long long)(r->store.count - at));
  progress_step(r->s->csp->progress, at - *shown, detail);
  *shown = at;
}

void csp_search_run(CspSearch *s) {
  Run r;
  bool fresh;
  uint32_t shown = 0;
  run_init(&r, s);
  csp_machine_start(r.m, r.packed);
  pack_record(&r, r.packed, 0);
  csp_store_add(&r.store, r.record, &fresh);
  vec_push(&r.depths, 0);
  progress_phase(s->csp->progress, "states", 0);
  for (uint32_t at = 0, end = 1; at < r.store.count; at++) {
    if (at == end) {
      vec_push(&r.depths, at);
      end = (uint32_t)r.store.count;
    }
    show_progress(&r, at, &shown);
    if ((at & 0xfff) == 0 && !within_limits(&r)) break;
    if (!expand(&r, at)) break;
  }
  s->memory = csp_store_memory(&r.store) + csp_store_memory(&r.colours);
  s->states = r.store.count;
  s->depth = r.depths.len - 1;
  run_free(&r);
}

void csp_search_free(CspSearch *s) {
  vec_free(&s->path.states);
  vec_free(&s->path.rules);
}
