/* Breadth-first search of implementation × normal form, level by level, on several cores.
 *
 * In: a machine, the normal form of the specification, and what to look for. Out: the
 * first flaw in order of depth, with a shortest run of the machine to it, or none.
 *
 * How a level is done by several workers is told in search_batch.c. No lock is needed;
 * every table is used by one core, whose cache it fits better than the whole; and the
 * order of the records does not depend on who did what: the verdict, the counterexample
 * and all numbers are the same for any number of workers. */
#include "csp/search_run.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SPEC_BYTES = 256
                                   << 20; /* of a specification that is made at once */

/* Small specifications are normalised at once, so that their nodes need one or two bytes
 * and nothing is added while several workers read them. */
static uint32_t bytes_for_nodes(CspNorm *spec, bool *ret_growing) {
  if (!spec) return 0;
  for (uint32_t n = 0; n < spec->nodes.len; n++) {
    for (uint32_t k = 0; k < spec->nodes.data[n].after_count; k++)
      if (spec->nodes.data[n].after[k].event != EVENT_TICK)
        csp_norm_after(spec, n, spec->nodes.data[n].after[k].event);
    if (spec->nodes.len > 60000 || spec->states.count > 100000 ||
        csp_norm_memory(spec) > SPEC_BYTES) {
      *ret_growing = true;
      return 4;
    }
  }
  return spec->nodes.len == 1 ? 0 : spec->nodes.len <= 256 ? 1 : 2;
}

static void run_init(CspSearchState *r, CspSearch *s) {
  *r = (CspSearchState){.s = s, .m = s->machine};
  r->state_bytes = (s->machine->bits + 7) / 8;
  r->node_bytes = bytes_for_nodes(s->spec, &r->growing_spec);
  csp_states_init(&r->states, r->state_bytes + r->node_bytes);
  r->worker_count = s->jobs ? s->jobs : 1;
  r->workers = mem_alloc_zero(r->worker_count * sizeof *r->workers);
  for (uint32_t i = 0; i < r->worker_count; i++) csp_worker_init(&r->workers[i], r);
  r->crew = csp_crew_new(r->worker_count);
  csp_batches_init(r);
  if (s->divergence && csp_machine_may_diverge(r->m)) r->diverge = csp_diverge_new(r->m);
}

static void run_free(CspSearchState *r) {
  csp_crew_free(r->crew);
  for (uint32_t i = 0; i < r->worker_count; i++) csp_worker_free(&r->workers[i]);
  mem_free(r->workers);
  mem_free(r->pieces);
  csp_states_free(&r->states);
  csp_diverge_free(r->diverge);
}

/* ---- limits ------------------------------------------------------------------------ */

static uint64_t memory_used(const CspSearchState *r) {
  uint64_t bytes = csp_states_memory(&r->states);
  if (r->diverge) bytes += csp_diverge_memory(r->diverge);
  if (r->s->spec) bytes += csp_norm_memory(r->s->spec);
  return bytes;
}

/* Whether no more states can be kept. The level is then looked through to its end, so
 * that what is said about it does not depend on the workers. */
static bool is_full(CspSearchState *r) {
  CspSearch *s = r->s;
  const CspLimits *limits = &s->csp->limits;
  uint64_t count = csp_states_count(&r->states), memory = memory_used(r);
  if (memory > s->memory) s->memory = memory;
  if (limits->memory && memory + arena_used(s->csp->arena) > limits->memory)
    s->reason = arena_printf(
        s->csp->arena,
        "more than %llu MiB would be needed; nothing is wrong up to depth %u",
        (unsigned long long)(limits->memory >> 20), r->depth);
  else if (limits->states && count > limits->states)
    s->reason = arena_printf(s->csp->arena,
                             "more than %llu states; nothing is wrong up to depth %u",
                             (unsigned long long)limits->states, r->depth);
  else
    return false;
  return true;
}

static bool is_stopped(const CspSearchState *r) {
  return r->s->csp->stop && atomic_load(r->s->csp->stop);
}

typedef struct {
  double start;
  uint64_t shown;
} Showing;

static void show_progress(CspSearchState *r, Showing *showing) {
  if (!r->s->csp->progress) return;
  char detail[96];
  uint64_t count = csp_states_count(&r->states);
  double elapsed = clock_now() - showing->start;
  snprintf(detail, sizeof detail, "depth %u, %.0f thousand a second", r->depth,
           elapsed > 0 ? (double)count / elapsed / 1000 : 0.0);
  progress_step(r->s->csp->progress, count - showing->shown, detail);
  showing->shown = count;
}

/* ---- the search -------------------------------------------------------------------- */

/* False when the search is over. */
static bool do_level(CspSearchState *r, Showing *showing) {
  bool more = true;
  csp_level_begin(r);
  while (more) {
    if (is_stopped(r)) {
      r->s->gave_up = true;
      r->s->reason = r->depth ? arena_printf(r->s->csp->arena,
                                             "the time is over; nothing is wrong up to "
                                             "depth %u",
                                             r->depth - 1)
                              : "the time is over";
      return false;
    }
    more = csp_level_batch(r);
    if (r->flawed) return false;
    if (r->diverge && csp_diverge_gave_up(r->diverge)) {
      r->s->gave_up = true;
      r->s->reason = csp_diverge_gave_up(r->diverge);
      return false;
    }
    if (!r->full) r->full = is_full(r);
    show_progress(r, showing);
  }
  r->s->gave_up = r->full;
  return !r->full;
}

static void conclude_flaw(CspSearchState *r) {
  const CspRunFlaw *first = NULL;
  for (uint32_t i = 0; i < r->worker_count; i++) {
    const CspRunFlaw *flaw = &r->workers[i].flaw;
    if (flaw->flaw != FLAW_NONE && (!first || flaw->position < first->position))
      first = flaw;
  }
  assert(first);
  r->s->flaw = first->flaw;
  r->s->node = first->node;
  r->s->event = first->event;
  /* What was added after this level is closed off, so that levels can be looked up. */
  CspLevel rest = r->level;
  csp_states_close_level(&r->states, r->depth + 1, &rest);
  csp_search_path(r, csp_level_at(&r->level, first->position));
}

static void add_first_state(CspSearchState *r) {
  CspWorker *w = &r->workers[0];
  bool fresh;
  csp_machine_start(r->m, w->packed);
  csp_worker_pack(w, w->packed, 0);
  uint64_t hash = csp_store_hash(w->record, r->states.bytes);
  csp_store_add_hashed(&r->states.shards[csp_shard_of(&r->states, hash)].store, w->record,
                       hash, &fresh);
}

void csp_search_run(CspSearch *s) {
  CspSearchState r;
  Showing showing = {clock_now(), 0};
  run_init(&r, s);
  for (uint32_t i = 0; i < r.worker_count; i++) r.workers[i].sink = csp_worker_send;
  progress_phase(s->csp->progress, "states", 0);
  add_first_state(&r);
  csp_states_close_level(&r.states, 0, &r.level);
  do {
    r.later = r.level.end;
    s->depth = r.depth;
    s->states = csp_states_count(&r.states);
    s->transitions = 0;
    for (uint32_t i = 0; i < r.worker_count; i++)
      s->transitions += r.workers[i].transitions;
    if (!r.level.before[CSP_SHARDS] || !do_level(&r, &showing)) break;
    csp_states_close_level(&r.states, ++r.depth, &r.level);
    csp_states_settle(&r.states, r.depth, &r.level);
  } while (true);
  uint64_t memory = memory_used(&r);
  if (memory > s->memory) s->memory = memory;
  s->seconds = clock_now() - showing.start;
  if (r.flawed)
    conclude_flaw(&r);
  else if (!s->gave_up)
    s->depth = r.depth - 1; /* the last level was empty */
  run_free(&r);
}

void csp_search_free(CspSearch *s) {
  vec_free(&s->path.states);
  vec_free(&s->path.rules);
}
