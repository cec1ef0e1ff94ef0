/* Breadth-first search of implementation × normal form, level by level, on several cores.
 *
 * In: a machine, the normal form of the specification, and what to look for. Out: the
 * first flaw in order of depth, with a shortest run of the machine to it, or none.
 *
 * A level is cut into pieces, which the workers take one after the other. What they find
 * goes into outboxes, one per worker and shard. When enough is waiting, the workers turn
 * to the shards: each shard is taken by one of them, which adds the successors in the
 * order of the pieces they come from. So no lock is needed; every table is used for a
 * while by one core, whose cache it fits better than the whole; and the order of the
 * records does not depend on who did what: the verdict, the counterexample and all
 * numbers are the same for any number of workers.
 *
 * Invariants. While pieces are expanded the stores do not change; while shards are filled
 * nothing is expanded. Of several flaws in one level the one at the least position
 * counts: pieces are handed out in order, and those that were begun are finished. */
#include "csp/search_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  PIECE = 256,         /* records */
  BATCH_PIECES = 4096, /* at most */
  FEW = 2 * PIECE,     /* records that one worker does alone */
  FIRST_OUTBOX = 1024, /* bytes */
  LOOK_AHEAD = 12,     /* successors whose places are asked for in advance */
};
static const size_t BATCH_BYTES = 12 << 20; /* in all outboxes, about */
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
  r->pieces = mem_alloc((size_t)BATCH_PIECES * sizeof *r->pieces);
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

/* ---- successors into shards -------------------------------------------------------- */

static void grow_outbox(CspPool *pool, CspOutbox *box, size_t more) {
  size_t cap = box->cap ? box->cap * 2 : FIRST_OUTBOX;
  while (cap < box->len + more) cap *= 2;
  uint8_t *data = csp_pool_take(pool, cap);
  if (box->len) memcpy(data, box->data, box->len);
  csp_pool_give(pool, box->data, box->cap);
  box->data = data;
  box->cap = cap;
}

static bool put_into_outbox(CspWorker *w, uint32_t rule, const uint64_t *start,
                            const uint64_t *state, uint32_t node) {
  uint32_t bytes = w->run->states.bytes;
  (void)rule;
  (void)start;
  csp_worker_pack(w, state, node);
  uint64_t hash = csp_store_hash(w->record, bytes);
  CspOutbox *box = &w->out[csp_shard_of(&w->run->states, hash)];
  if (box->len + 16 + bytes > box->cap) grow_outbox(w->run->states.pool, box, 16 + bytes);
  memcpy(box->data + box->len, &hash, 8);
  csp_record_copy(box->data + box->len + 8, w->record, bytes);
  box->len += 8 + bytes;
  w->waiting += 8 + bytes;
  return true;
}

static uint64_t hash_at(const uint8_t *entry) {
  uint64_t hash;
  memcpy(&hash, entry, 8);
  return hash;
}

static void add_entries(CspStore *store, const uint8_t *entry, const uint8_t *end) {
  size_t size = 8 + (size_t)store->bytes;
  const uint8_t *ahead = entry;
  for (int i = 0; i < LOOK_AHEAD && ahead < end; i++, ahead += size)
    csp_store_prefetch(store, hash_at(ahead));
  for (; entry < end; entry += size) {
    bool fresh;
    if (ahead < end) {
      csp_store_prefetch(store, hash_at(ahead));
      ahead += size;
    }
    csp_store_add_hashed(store, entry + 8, hash_at(entry), &fresh);
  }
}

static void fill_shard(CspSearchState *r, uint32_t shard) {
  size_t taken[r->worker_count];
  memset(taken, 0, sizeof taken);
  uint64_t count = r->piece_next - r->piece_first;
  for (uint64_t i = 0; i < count;) {
    uint32_t w = r->pieces[i].worker;
    uint64_t last = i;
    while (last + 1 < count && r->pieces[last + 1].worker == w) last++;
    const uint8_t *data = r->workers[w].out[shard].data;
    size_t end = r->pieces[last].end[shard];
    if (end > taken[w])
      add_entries(&r->states.shards[shard].store, data + taken[w], data + end);
    taken[w] = end;
    i = last + 1;
  }
}

static void fill_shards(void *user, uint32_t worker) {
  CspSearchState *r = user;
  (void)worker;
  for (uint32_t s; (s = atomic_fetch_add(&r->shard_next, 1)) < CSP_SHARDS;)
    fill_shard(r, s);
}

/* ---- pieces of a level ------------------------------------------------------------- */

static void expand_piece(CspSearchState *r, CspWorker *w, uint64_t piece) {
  uint64_t at = piece * PIECE, end = at + PIECE;
  if (end > r->level.before[CSP_SHARDS]) end = r->level.before[CSP_SHARDS];
  CspRecordId id = csp_level_at(&r->level, at);
  for (; at < end; at++, id.number++) {
    while (id.number >= r->level.end[id.shard]) {
      id.shard++;
      id.number = r->level.begin[id.shard];
    }
    if (csp_worker_expand(w, id)) continue;
    w->flaw.position = at;
    atomic_store(&r->flawed, true);
    return;
  }
}

static void expand_pieces(void *user, uint32_t number) {
  CspSearchState *r = user;
  CspWorker *w = &r->workers[number];
  size_t share = BATCH_BYTES / r->worker_count;
  while (w->waiting < share && w->flaw.flaw == FLAW_NONE) {
    uint64_t piece = atomic_load(&r->piece_next);
    if (atomic_load(&r->flawed) || piece >= r->piece_end) return;
    if (!atomic_compare_exchange_weak(&r->piece_next, &piece, piece + 1)) continue;
    expand_piece(r, w, piece);
    CspPiece *p = &r->pieces[piece - r->piece_first];
    p->worker = number;
    for (uint32_t s = 0; s < CSP_SHARDS; s++) p->end[s] = w->out[s].len;
  }
}

static void together(CspSearchState *r, CspCrewWork *work, bool alone) {
  if (alone || !r->many_hands)
    work(r, 0);
  else
    csp_crew_run(r->crew, work, r);
}

/* Expands as many pieces as fit into the outboxes, and empties them. */
static void do_batch(CspSearchState *r) {
  r->piece_first = r->piece_next;
  r->piece_end = (r->level.before[CSP_SHARDS] + PIECE - 1) / PIECE;
  if (r->piece_end > r->piece_first + BATCH_PIECES)
    r->piece_end = r->piece_first + BATCH_PIECES;
  /* What grows on the way belongs to one worker. */
  together(r, expand_pieces, r->growing_spec || r->diverge);
  atomic_store(&r->shard_next, 0);
  if (!r->flawed) together(r, fill_shards, false);
  for (uint32_t i = 0; i < r->worker_count; i++) {
    CspWorker *w = &r->workers[i];
    for (uint32_t s = 0; s < CSP_SHARDS && w->waiting; s++) w->out[s].len = 0;
    w->waiting = 0;
  }
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

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  double start;
  uint64_t shown;
} Showing;

static void show_progress(CspSearchState *r, Showing *showing) {
  if (!r->s->csp->progress) return;
  char detail[96];
  uint64_t count = csp_states_count(&r->states);
  double elapsed = seconds() - showing->start;
  snprintf(detail, sizeof detail, "depth %u, %.0f thousand a second", r->depth,
           elapsed > 0 ? (double)count / elapsed / 1000 : 0.0);
  progress_step(r->s->csp->progress, count - showing->shown, detail);
  showing->shown = count;
}

/* ---- the search -------------------------------------------------------------------- */

/* False when the search is over. */
static bool do_level(CspSearchState *r, Showing *showing) {
  uint64_t size = r->level.before[CSP_SHARDS];
  r->piece_next = 0;
  r->many_hands = r->worker_count > 1 && size > FEW;
  while (r->piece_next * PIECE < size) {
    if (is_stopped(r)) {
      r->s->gave_up = true;
      r->s->reason = "the time is over";
      return false;
    }
    do_batch(r);
    if (r->flawed) return false;
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
  Showing showing = {seconds(), 0};
  run_init(&r, s);
  for (uint32_t i = 0; i < r.worker_count; i++) r.workers[i].sink = put_into_outbox;
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
