/* The states of a breadth-first search, level by level, in shards.
 *
 * While there are few, all records are in shard 0 and a level is in the order of
 * discovery, so that small scripts get the counterexample that a reader finds first. Then
 * a record belongs to the shard that the top bits of its hash name. Each shard is a store
 * of its own, so that several threads can add to different shards without a lock, and one
 * thread finds what it needs of a shard in its cache. Within a shard the records of a
 * level stand together; the level as a whole is the ranges of shard 0, 1, … in this
 * order, and a position in it is a number from 0 on. */
#ifndef HEDDLE_CSP_STATES_H
#define HEDDLE_CSP_STATES_H

#include "base/vec.h"
#include "csp/store.h"

enum { CSP_SHARDS = 64 };

typedef struct CspLevelStart {
  uint32_t depth, first; /* the first record of that depth or a later one */
} CspLevelStart;

typedef struct CspShard {
  CspStore store;
  VEC(CspLevelStart) starts; /* only depths that have records here; ascending */
} CspShard;

/* A record of one level. */
typedef struct CspRecordId {
  uint32_t shard, number;
} CspRecordId;

/* One level: the records [begin, end) of every shard; before[s] of them in shards
 * below. */
typedef struct CspLevel {
  uint32_t begin[CSP_SHARDS], end[CSP_SHARDS];
  uint64_t before[CSP_SHARDS + 1];
} CspLevel;

typedef struct CspStates {
  uint32_t bytes;
  bool spread; /* over all shards */
  CspPool *pool;
  CspShard shards[CSP_SHARDS];
} CspStates;

void csp_states_init(CspStates *states, uint32_t bytes);
void csp_states_free(CspStates *states);

static inline uint32_t csp_shard_of(const CspStates *states, uint64_t hash) {
  return states->spread ? (uint32_t)(hash >> 58) : 0;
}
static inline const uint8_t *csp_states_at(const CspStates *states, CspRecordId id) {
  return csp_store_at(&states->shards[id.shard].store, id.number);
}

/* Where a record is; number UINT32_MAX when it is not there. */
CspRecordId csp_states_find(const CspStates *states, const void *record);

/* Everything added since the last call is the level `depth`: 0, 1, … */
void csp_states_close_level(CspStates *states, uint32_t depth, CspLevel *level);
/* Once there are many records, they are spread over the shards. */
void csp_states_settle(CspStates *states, uint32_t depth, CspLevel *level);
/* A level that was closed before. */
void csp_states_level(const CspStates *states, uint32_t depth, CspLevel *ret);
/* The record at a position of the level, which must be below
 * level->before[CSP_SHARDS]. */
CspRecordId csp_level_at(const CspLevel *level, uint64_t position);

uint64_t csp_states_count(const CspStates *states);
uint64_t csp_states_memory(const CspStates *states);

#endif
