/* The table of states: open addressing over numbered records.
 *
 * In: records of equal size. Out: their numbers. The table doubles at three quarters; the
 * records stay where they are. Invariant: an entry is 0 or its low index_bits are number
 * + 1 and the bits above are the top bits of the hash. */
#include "csp/store.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_BITS = 8, LONG_RECORD = 32 };

static inline uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t mix(uint64_t x) {
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  return x;
}

uint64_t csp_store_hash(const void *record, uint32_t n) {
  const uint8_t *bytes = record;
  if (n > LONG_RECORD) return XXH3_64bits(bytes, n);
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
  for (; n > 8; n -= 8, bytes += 8) h = mix(h ^ load(bytes));
  h = mix(h ^ (load(bytes) & UINT64_MAX >> (64 - 8 * n)));
  h *= UINT64_C(0xff51afd7ed558ccd);
  return h ^ h >> 29;
}

static inline uint32_t load4(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, 4);
  return word;
}

/* Most records are a few bytes long: the last word overlaps the one before. */
static inline bool same(const uint8_t *a, const uint8_t *b, uint32_t n) {
  if (n >= 8) {
    for (uint32_t i = 0; i + 8 < n; i += 8)
      if (load(a + i) != load(b + i)) return false;
    return load(a + n - 8) == load(b + n - 8);
  }
  if (n >= 4) return load4(a) == load4(b) && load4(a + n - 4) == load4(b + n - 4);
  return a[0] == b[0] && a[n - 1] == b[n - 1] && a[n / 2] == b[n / 2];
}

static uint32_t *new_table(CspPool *pool, uint64_t entries) {
  size_t size = entries * sizeof(uint32_t);
  return pool ? csp_pool_take_zero(pool, size) : mem_alloc_zero(size);
}

static void free_table(CspStore *store) {
  if (store->pool)
    csp_pool_give(store->pool, store->table, (store->mask + 1) * sizeof *store->table);
  else
    mem_free(store->table);
}

void csp_store_init(CspStore *store, uint32_t bytes, CspPool *pool) {
  *store = (CspStore){.pool = pool,
                      .bytes = bytes ? bytes : 1,
                      .mask = (1u << FIRST_BITS) - 1,
                      .index_bits = FIRST_BITS + 1};
  store->table = new_table(pool, store->mask + 1);
}

void csp_store_free(CspStore *store) {
  for (uint32_t i = 0; i < store->chunk_count && !store->pool; i++)
    mem_free(store->chunks[i]);
  mem_free(store->chunks);
  if (store->table) free_table(store);
  *store = (CspStore){0};
}

static uint32_t tag_of(const CspStore *store, uint64_t h) {
  if (store->index_bits >= 32) return 0;
  return (uint32_t)(h << 6 >> (32 + store->index_bits)) << store->index_bits;
}

static void grow(CspStore *store) {
  uint64_t size = (store->mask + 1) * 2;
  free_table(store);
  store->table = new_table(store->pool, size);
  store->mask = size - 1;
  if (store->index_bits < 32) store->index_bits++;
  for (uint64_t i = 0; i < store->count; i++) {
    uint64_t h = csp_store_hash(csp_store_at(store, (uint32_t)i), store->bytes),
             at = h & store->mask;
    while (store->table[at]) at = (at + 1) & store->mask;
    store->table[at] = (uint32_t)(i + 1) | tag_of(store, h);
  }
}

static uint8_t *append(CspStore *store) {
  if (store->count / CSP_STORE_CHUNK == store->chunk_count) {
    store->chunks =
        mem_realloc(store->chunks, (store->chunk_count + 1) * sizeof *store->chunks);
    size_t size = (size_t)CSP_STORE_CHUNK * store->bytes + 8;
    store->chunks[store->chunk_count++] =
        store->pool ? csp_pool_keep(store->pool, size) : mem_alloc(size);
  }
  return (uint8_t *)csp_store_at(store, (uint32_t)store->count++);
}

static uint32_t probe(const CspStore *store, const void *record, uint64_t h,
                      uint64_t *ret_at) {
  uint32_t tag = tag_of(store, h);
  uint32_t number_mask =
      store->index_bits >= 32 ? UINT32_MAX : (1u << store->index_bits) - 1;
  uint64_t at = h & store->mask;
  for (; store->table[at]; at = (at + 1) & store->mask) {
    uint32_t entry = store->table[at];
    if ((entry & ~number_mask) != tag) continue;
    uint32_t number = (entry & number_mask) - 1;
    if (same(csp_store_at(store, number), record, store->bytes)) return number;
  }
  *ret_at = at;
  return UINT32_MAX;
}

uint32_t csp_store_find_hashed(const CspStore *store, const void *record, uint64_t h) {
  uint64_t at;
  return probe(store, record, h, &at);
}

uint32_t csp_store_find(const CspStore *store, const void *record) {
  return csp_store_find_hashed(store, record, csp_store_hash(record, store->bytes));
}

uint32_t csp_store_add_hashed(CspStore *store, const void *record, uint64_t h,
                              bool *ret_new) {
  uint64_t at = 0;
  uint32_t found = probe(store, record, h, &at);
  *ret_new = found == UINT32_MAX;
  if (!*ret_new) return found;
  assert(store->count < UINT32_MAX && store->count <= store->mask);
  uint32_t number = (uint32_t)store->count;
  csp_record_copy(append(store), record, store->bytes);
  store->table[at] = (number + 1) | tag_of(store, h);
  if (store->count * 4 > (store->mask + 1) * 3) grow(store);
  return number;
}

uint32_t csp_store_add(CspStore *store, const void *record, bool *ret_new) {
  return csp_store_add_hashed(store, record, csp_store_hash(record, store->bytes),
                              ret_new);
}

/* Of the last chunk only the records that are there count: the rest has no pages yet. */
size_t csp_store_memory(const CspStore *store) {
  return (size_t)(store->mask + 1) * sizeof *store->table +
         (size_t)store->count * store->bytes;
}
