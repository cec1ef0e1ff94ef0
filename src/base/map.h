/* Hash maps: from 64-bit numbers (or pointers) and from byte strings to 64-bit values.
 *
 * Both keep their entries in order of insertion, so that walking one is deterministic:
 *
 *   for (uint32_t i = 0; i < m.len; i++) use(m.entries[i].key, m.entries[i].value);
 *
 * Entries cannot be removed one by one; clear the map or store a value that means absent. */
#ifndef HEDDLE_BASE_MAP_H
#define HEDDLE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t key, value;
} MapEntry;

/* Zero-initialise to get an empty map. */
typedef struct {
  MapEntry *entries;
  uint32_t len, cap;
  uint32_t *slots; /* entry index + 1, or 0; the size is a power of two */
  uint32_t slot_count;
} Map;

void map_free(Map *map);
void map_clear(Map *map);
/* The value slot of `key`, or NULL. Valid until the next map_put or map_at. */
uint64_t *map_get(const Map *map, uint64_t key);
/* The value slot of `key`, added with value 0 when absent. */
uint64_t *map_at(Map *map, uint64_t key);
void map_put(Map *map, uint64_t key, uint64_t value);
/* The value, or `otherwise` when the key is absent. */
uint64_t map_find(const Map *map, uint64_t key, uint64_t otherwise);

static inline uint64_t map_key(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}

/* A number for some bytes, which hardly any others share: a key for what is kept elsewhere. */
uint64_t map_hash(const void *bytes, size_t length);

typedef struct {
  const char *key; /* owned by the map, NUL-terminated copy */
  size_t length;
  uint64_t value;
  uint64_t hash; /* of the key: most others are told apart without a look at them */
} StrMapEntry;

typedef struct {
  StrMapEntry *entries;
  uint32_t len, cap;
  uint32_t *slots;
  uint32_t slot_count;
} StrMap;

void strmap_free(StrMap *map);
uint64_t *strmap_get(const StrMap *map, const char *key, size_t length);
uint64_t *strmap_at(StrMap *map, const char *key, size_t length);
void strmap_put(StrMap *map, const char *key, uint64_t value);
uint64_t strmap_find(const StrMap *map, const char *key, uint64_t otherwise);

#endif
