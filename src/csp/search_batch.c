/* A level in batches: its records are expanded, and what is found goes into the shards.
 *
 * In: a level. Out: the next one, in the stores, or flaws.
 *
 * A batch is a range of the level, cut into pieces. Workers take pieces and put what they
 * find into outboxes, one per worker and shard; then they turn to the shards: each is
 * taken by one of them, which adds the successors in the order of the pieces they come
 * from. Every worker begins with its own part of the pieces and of the shards, the same
 * in every round, and helps the others when it has done that: so tables and records
 * mostly stay in the cache of the core that wrote them.
 *
 * Invariants. While pieces are expanded the stores do not change; while shards are filled
 * nothing is expanded. All pieces of a batch are expanded before the next batch begins,
 * so that the order of the records does not depend on who did what; except that pieces
 * behind one with a flaw may be left out, since of several flaws in one level the one at
 * the least position counts. */
#include "csp/search_run.h"

#include <stdlib.h>
#include <string.h>

enum {
  SMALLEST_PIECE = 32, /* records */
  LARGEST_PIECE = 256,
  PIECES_EACH = 16,    /* of a level, for every worker, if they are not too small */
  FIRST_BATCH = 128,   /* pieces */
  BATCH_PIECES = 4096, /* at most */
  FEW = 256,           /* records that one worker does alone */
  FIRST_OUTBOX = 1024, /* bytes */
  LOOK_AHEAD = 12,     /* successors whose places are asked for in advance */
};
static const size_t BATCH_BYTES = 12 << 20; /* in all outboxes, about */

/* ---- outboxes ---------------------------------------------------------------------- */

static void grow_outbox(CspPool *pool, CspOutbox *box, size_t more) {
  size_t cap = box->cap ? box->cap * 2 : FIRST_OUTBOX;
  while (cap < box->len + more) cap *= 2;
  uint8_t *data = csp_pool_take(pool, cap);
  if (box->len) memcpy(data, box->data, box->len);
  csp_pool_give(pool, box->data, box->cap);
  box->data = data;
  box->cap = cap;
}

bool csp_worker_send(CspWorker *w, uint32_t rule, const uint64_t *start,
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
  return true;
}

/* Bytes that waited. */
static size_t empty_outboxes(CspWorker *w) {
  size_t bytes = 0;
  for (uint32_t s = 0; s < CSP_SHARDS; s++) {
    bytes += w->out[s].len;
    w->out[s].len = 0;
  }
  return bytes;
}

/* ---- shards ------------------------------------------------------------------------ */

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

/* Pieces that one worker expanded one after the other stand in its outbox like that. */
static void fill_shard(CspSearchState *r, uint32_t shard) {
  uint32_t count = (uint32_t)(r->piece_end - r->piece_first);
  for (uint32_t i = 0; i < count; i++) {
    const CspPiece *first = &r->pieces[i];
    while (i + 1 < count && r->pieces[i + 1].before == i) i++;
    size_t begin = first->before == NO_PIECE ? 0 : r->pieces[first->before].end[shard];
    size_t end = r->pieces[i].end[shard];
    if (begin == end) continue;
    const uint8_t *data = r->workers[first->worker].out[shard].data;
    add_entries(&r->states.shards[shard].store, data + begin, data + end);
  }
}

static void fill_shards(void *user, uint32_t number) {
  CspSearchState *r = user;
  for (uint32_t i = 0; i < r->worker_count; i++) {
    CspWorker *owner = &r->workers[(number + i) % r->worker_count];
    for (uint64_t s; (s = atomic_fetch_add(&owner->shard_next, 1)) < owner->shard_end;)
      fill_shard(r, (uint32_t)s);
  }
}

/* ---- pieces ------------------------------------------------------------------------ */

static void note_flaw(CspSearchState *r, uint64_t piece) {
  uint64_t least = atomic_load(&r->flawed_piece);
  while (piece < least && !atomic_compare_exchange_weak(&r->flawed_piece, &least, piece))
    continue;
}

static void expand_piece(CspSearchState *r, CspWorker *w, uint64_t piece) {
  uint64_t at = piece * r->piece_size, end = at + r->piece_size;
  if (end > r->level.before[CSP_SHARDS]) end = r->level.before[CSP_SHARDS];
  CspRecordId id = csp_level_at(&r->level, at);
  for (; at < end; at++, id.number++) {
    while (id.number >= r->level.end[id.shard]) {
      id.shard++;
      id.number = r->level.begin[id.shard];
    }
    if (csp_worker_expand(w, id)) continue;
    /* What this worker found before is further behind. */
    w->flaw.position = at;
    note_flaw(r, piece);
    return;
  }
}

static void expand_pieces(void *user, uint32_t number) {
  CspSearchState *r = user;
  CspWorker *w = &r->workers[number];
  uint32_t before = NO_PIECE;
  for (uint32_t i = 0; i < r->worker_count; i++) {
    CspWorker *owner = &r->workers[(number + i) % r->worker_count];
    for (;;) {
      uint64_t piece = atomic_fetch_add(&owner->piece_next, 1);
      if (piece >= owner->piece_end || piece > atomic_load(&r->flawed_piece)) break;
      expand_piece(r, w, piece);
      CspPiece *p = &r->pieces[piece - r->piece_first];
      p->worker = number;
      p->before = before;
      before = (uint32_t)(piece - r->piece_first);
      for (uint32_t s = 0; s < CSP_SHARDS; s++) p->end[s] = w->out[s].len;
    }
  }
}

/* ---- batches ----------------------------------------------------------------------- */

/* Worker w begins with the shards from 64 w / workers on, and with the pieces of the
 * batch whose records are there. */
static void divide(CspSearchState *r) {
  uint64_t next = r->piece_first;
  for (uint32_t w = 0; w < r->worker_count; w++) {
    uint32_t shard_end = (uint32_t)((uint64_t)CSP_SHARDS * (w + 1) / r->worker_count);
    uint64_t piece_end = r->level.before[shard_end] / r->piece_size;
    if (piece_end < next) piece_end = next;
    if (piece_end > r->piece_end || w + 1 == r->worker_count) piece_end = r->piece_end;
    atomic_store(&r->workers[w].shard_next, (uint64_t)CSP_SHARDS * w / r->worker_count);
    r->workers[w].shard_end = shard_end;
    atomic_store(&r->workers[w].piece_next, next);
    r->workers[w].piece_end = piece_end;
    next = piece_end;
  }
}

void csp_level_begin(CspSearchState *r) {
  uint64_t size = r->level.before[CSP_SHARDS];
  uint64_t piece = size / (PIECES_EACH * r->worker_count);
  r->piece_size = piece < SMALLEST_PIECE  ? SMALLEST_PIECE
                  : piece > LARGEST_PIECE ? LARGEST_PIECE
                                          : (uint32_t)piece;
  r->piece_end = 0;
  r->many_hands = r->worker_count > 1 && size > FEW;
}

static void together(CspSearchState *r, CspCrewWork *work, bool alone) {
  if (alone || !r->many_hands)
    work(r, 0);
  else
    csp_crew_run(r->crew, work, r);
}

/* How many pieces the next batch has, so that the outboxes become about full. */
static void adapt_batch(CspSearchState *r, size_t bytes) {
  uint64_t records = (r->piece_end - r->piece_first) * r->piece_size;
  uint64_t fit = records * BATCH_BYTES / (bytes + 1);
  r->batch_records = fit < 2 * r->batch_records ? fit : 2 * r->batch_records;
  if (r->batch_records < FIRST_BATCH * SMALLEST_PIECE)
    r->batch_records = FIRST_BATCH * SMALLEST_PIECE;
}

bool csp_level_batch(CspSearchState *r) {
  uint64_t all = (r->level.before[CSP_SHARDS] + r->piece_size - 1) / r->piece_size;
  uint64_t pieces = r->batch_records / r->piece_size + 1;
  if (pieces > BATCH_PIECES) pieces = BATCH_PIECES;
  r->piece_first = r->piece_end;
  r->piece_end = all - r->piece_first < pieces ? all : r->piece_first + pieces;
  divide(r);
  /* What grows on the way belongs to one worker. */
  together(r, expand_pieces, r->growing_spec || r->diverge);
  if (atomic_load(&r->flawed_piece) != UINT64_MAX) {
    r->flawed = true;
    return false;
  }
  together(r, fill_shards, false);
  size_t bytes = 0;
  for (uint32_t i = 0; i < r->worker_count; i++) bytes += empty_outboxes(&r->workers[i]);
  adapt_batch(r, bytes);
  return r->piece_end < all;
}

void csp_batches_init(CspSearchState *r) {
  r->pieces = mem_alloc((size_t)BATCH_PIECES * sizeof *r->pieces);
  r->batch_records = FIRST_BATCH * SMALLEST_PIECE;
  atomic_store(&r->flawed_piece, UINT64_MAX);
}
