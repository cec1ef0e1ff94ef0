/* A set of packed states with their numbers, in order of insertion.
 *
 * Records of fixed size stand in chunks that never move; a hash table of 32-bit entries
 * finds them. An entry is the number of the record plus one, with as many bits of the
 * hash above it as are free, so that most misses never touch a record. The six top bits
 * of the hash are not used here: they may tell which of several stores has a record.
 *
 * Records are read and copied in whole words: what is handed in must be readable up to
 * the next multiple of eight bytes; what stands there does not matter. */
#ifndef HEDDLE_CSP_STORE_H
#define HEDDLE_CSP_STORE_H

#include "csp/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct CspStore {
  CspPool *pool;  /* where table and records are; NULL: on the heap */
  uint32_t bytes; /* of a record */
  uint64_t count;
  uint8_t **chunks;
  uint32_t chunk_count;
  uint32_t *table;
  uint64_t mask;       /* entries - 1 */
  unsigned index_bits; /* of an entry that are the number */
} CspStore;

void csp_store_init(CspStore *store, uint32_t bytes, CspPool *pool);
/* Records in a pool stay there until it is freed. */
void csp_store_free(CspStore *store);
/* The number of the record; *ret_new when it was not there before. */
uint32_t csp_store_add(CspStore *store, const void *record, bool *ret_new);
/* The number, or UINT32_MAX when it is not there. */
uint32_t csp_store_find(const CspStore *store, const void *record);
/* The same with the hash of the record, which the caller has from csp_store_hash. */
uint32_t csp_store_add_hashed(CspStore *store, const void *record, uint64_t hash,
                              bool *ret_new);
uint32_t csp_store_find_hashed(const CspStore *store, const void *record, uint64_t hash);
uint64_t csp_store_hash(const void *record, uint32_t bytes);
/* Asks the memory for the place where the record of this hash would be. */
static inline void csp_store_prefetch(const CspStore *store, uint64_t hash) {
  __builtin_prefetch(store->table + (hash & store->mask));
}

/* Copies a record in whole words: up to seven bytes behind it are overwritten. */
static inline void csp_record_copy(uint8_t *to, const void *from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 8) memcpy(to + i, (const uint8_t *)from + i, 8);
}

enum { CSP_STORE_CHUNK = 4096 }; /* records */
static inline const uint8_t *csp_store_at(const CspStore *store, uint32_t number) {
  return store->chunks[number / CSP_STORE_CHUNK] +
         (size_t)(number % CSP_STORE_CHUNK) * store->bytes;
}
/* Bytes in use. */
size_t csp_store_memory(const CspStore *store);

#endif
