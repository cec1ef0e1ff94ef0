/* The table of states: open addressing over numbered records.
 *
 * In: records of equal size. Out: their numbers. The table doubles at three quarters; the
 * records stay where they are. Invariant: an entry is 0 or its low index_bits are number
 * + 1 and the bits above are the top bits of the hash. */
#include "csp/store.h"

#include "base/mem.h"

#include <string.h>

enum { CHUNK_RECORDS = 1 << 16, FIRST_BITS = 12 };

static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  return x;
}

static uint64_t hash(const uint8_t *bytes, uint32_t n) {
  uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), word;
  for (; n >= 8; n -= 8, bytes += 8) {
    memcpy(&word, bytes, 8);
    h = mix(h ^ word);
  }
  if (n) {
    word = 0;
    memcpy(&word, bytes, n);
    h = mix(h ^ word);
  }
  return h;
}

void csp_store_init(CspStore *store, uint32_t bytes) {
  *store = (CspStore){.bytes = bytes ? bytes : 1,
                      .mask = (1u << FIRST_BITS) - 1,
                      .index_bits = FIRST_BITS + 1};
  store->table = mem_alloc_zero((size_t)(store->mask + 1) * sizeof *store->table);
}

void csp_store_free(CspStore *store) {
  for (uint32_t i = 0; i < store->chunk_count; i++) mem_free(store->chunks[i]);
  mem_free(store->chunks);
  mem_free(store->table);
  *store = (CspStore){0};
}

const uint8_t *csp_store_at(const CspStore *store, uint32_t number) {
  return store->chunks[number / CHUNK_RECORDS] +
         (size_t)(number % CHUNK_RECORDS) * store->bytes;
}

static uint32_t tag_of(const CspStore *store, uint64_t h) {
  if (store->index_bits >= 32) return 0;
  return (uint32_t)(h >> (32 + store->index_bits)) << store->index_bits;
}

static void grow(CspStore *store) {
  uint64_t size = (store->mask + 1) * 2;
  mem_free(store->table);
  store->table = mem_alloc_zero(size * sizeof *store->table);
  store->mask = size - 1;
  if (store->index_bits < 32) store->index_bits++;
  for (uint64_t i = 0; i < store->count; i++) {
    uint64_t h = hash(csp_store_at(store, (uint32_t)i), store->bytes),
             at = h & store->mask;
    while (store->table[at]) at = (at + 1) & store->mask;
    store->table[at] = (uint32_t)(i + 1) | tag_of(store, h);
  }
}

static uint8_t *append(CspStore *store) {
  if (store->count / CHUNK_RECORDS == store->chunk_count) {
    store->chunks =
        mem_realloc(store->chunks, (store->chunk_count + 1) * sizeof *store->chunks);
    store->chunks[store->chunk_count++] = mem_alloc((size_t)CHUNK_RECORDS * store->bytes);
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
    if (memcmp(csp_store_at(store, number), record, store->bytes) == 0) return number;
  }
  *ret_at = at;
  return UINT32_MAX;
}

uint32_t csp_store_find(const CspStore *store, const void *record) {
  uint64_t at;
  return probe(store, record, hash(record, store->bytes), &at);
}

uint32_t csp_store_add(CspStore *store, const void *record, bool *ret_new) {
  uint64_t h = hash(record, store->bytes), at = 0;
  uint32_t found = probe(store, record, h, &at);
  *ret_new = found == UINT32_MAX;
  if (!*ret_new) return found;
  uint32_t number = (uint32_t)store->count;
  memcpy(append(store), record, store->bytes);
  store->table[at] = (number + 1) | tag_of(store, h);
  if (store->count * 4 > (store->mask + 1) * 3) grow(store);
  return number;
}

size_t csp_store_memory(const CspStore *store) {
  return (size_t)(store->mask + 1) * sizeof *store->table +
         (size_t)store->chunk_count * CHUNK_RECORDS * store->bytes;
}
