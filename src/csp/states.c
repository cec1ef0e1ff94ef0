/* Shards and levels.
 *
 * In: records, added to the stores of the shards by the search. Out: levels as ranges.
 * Invariant: starts[i].first < starts[i + 1].first, so that there are never more entries
 * than records, however deep the search goes. */
#include "csp/states.h"

#include <string.h>

enum { SPREAD_AT = 4096 };

void csp_states_init(CspStates *states, uint32_t bytes) {
  memset(states, 0, sizeof *states);
  states->bytes = bytes ? bytes : 1;
  states->pool = csp_pool_new();
  for (uint32_t s = 0; s < CSP_SHARDS; s++)
    csp_store_init(&states->shards[s].store, bytes, states->pool);
}

void csp_states_free(CspStates *states) {
  for (uint32_t s = 0; s < CSP_SHARDS; s++) {
    csp_store_free(&states->shards[s].store);
    vec_free(&states->shards[s].starts);
  }
  csp_pool_free(states->pool);
}

CspRecordId csp_states_find(const CspStates *states, const void *record) {
  uint64_t hash = csp_store_hash(record, states->bytes);
  uint32_t shard = csp_shard_of(states, hash);
  return (CspRecordId){shard,
                       csp_store_find_hashed(&states->shards[shard].store, record, hash)};
}

static void count_before(CspLevel *level) {
  level->before[0] = 0;
  for (uint32_t s = 0; s < CSP_SHARDS; s++)
    level->before[s + 1] = level->before[s] + level->end[s] - level->begin[s];
}

/* Moves everything from shard 0 to where it belongs, level by level. */
static void spread(CspStates *states) {
  CspShard old = states->shards[0];
  states->spread = true;
  states->shards[0] = (CspShard){0};
  csp_store_init(&states->shards[0].store, states->bytes, states->pool);
  for (uint32_t i = 0; i < old.starts.len; i++) {
    uint32_t depth = old.starts.data[i].depth, at = old.starts.data[i].first;
    uint32_t end =
        i + 1 < old.starts.len ? old.starts.data[i + 1].first : (uint32_t)old.store.count;
    for (; at < end; at++) {
      const uint8_t *record = csp_store_at(&old.store, at);
      uint64_t hash = csp_store_hash(record, states->bytes);
      CspShard *shard = &states->shards[csp_shard_of(states, hash)];
      bool fresh;
      if (!shard->starts.len || vec_last(&shard->starts)->depth != depth)
        vec_push(&shard->starts, (CspLevelStart){depth, (uint32_t)shard->store.count});
      csp_store_add_hashed(&shard->store, record, hash, &fresh);
    }
  }
  csp_store_free(&old.store);
  vec_free(&old.starts);
}

void csp_states_close_level(CspStates *states, uint32_t depth, CspLevel *level) {
  for (uint32_t s = 0; s < CSP_SHARDS; s++) {
    CspShard *shard = &states->shards[s];
    uint32_t begin = depth ? level->end[s] : 0, end = (uint32_t)shard->store.count;
    if (end > begin) vec_push(&shard->starts, (CspLevelStart){depth, begin});
    level->begin[s] = begin;
    level->end[s] = end;
  }
  count_before(level);
}

void csp_states_settle(CspStates *states, uint32_t depth, CspLevel *level) {
  if (states->spread || states->shards[0].store.count <= SPREAD_AT) return;
  spread(states);
  csp_states_level(states, depth, level);
}

/* The first record of the depth or a later one. */
static uint32_t first_of(const CspShard *shard, uint32_t depth) {
  uint32_t low = 0, high = shard->starts.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (shard->starts.data[middle].depth < depth)
      low = middle + 1;
    else
      high = middle;
  }
  return low < shard->starts.len ? shard->starts.data[low].first
                                 : (uint32_t)shard->store.count;
}

void csp_states_level(const CspStates *states, uint32_t depth, CspLevel *ret) {
  for (uint32_t s = 0; s < CSP_SHARDS; s++) {
    ret->begin[s] = first_of(&states->shards[s], depth);
    ret->end[s] = first_of(&states->shards[s], depth + 1);
  }
  count_before(ret);
}

CspRecordId csp_level_at(const CspLevel *level, uint64_t position) {
  uint32_t s = 0;
  while (position >= level->before[s + 1]) s++;
  return (CspRecordId){s, level->begin[s] + (uint32_t)(position - level->before[s])};
}

uint64_t csp_states_count(const CspStates *states) {
  uint64_t count = 0;
  for (uint32_t s = 0; s < CSP_SHARDS; s++) count += states->shards[s].store.count;
  return count;
}

uint64_t csp_states_memory(const CspStates *states) {
  uint64_t bytes = 0;
  for (uint32_t s = 0; s < CSP_SHARDS; s++)
    bytes += csp_store_memory(&states->shards[s].store) +
             states->shards[s].starts.cap * sizeof(CspLevelStart);
  return bytes;
}
