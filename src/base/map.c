/* Open addressing with linear probing over a dense array of entries. See map.h. */
#include "base/map.h"

#include "base/mem.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 16 };

static uint64_t mix(uint64_t key) {
  key ^= key >> 32;
  key *= 0x9e3779b97f4a7c15u;
  return key ^ (key >> 29);
}

static bool too_full(uint32_t len, uint32_t slot_count) {
  return (uint64_t)(len + 1) * 4 > (uint64_t)slot_count * 3;
}

static uint32_t *empty_slots(uint32_t *old, uint32_t count) {
  mem_free(old);
  return mem_alloc_zero((size_t)count * sizeof(uint32_t));
}

static uint32_t grown(uint32_t cap) {
  return cap ? cap * 2 : 8;
}

void map_free(Map *map) {
  mem_free(map->entries);
  mem_free(map->slots);
  *map = (Map){0};
}

void map_clear(Map *map) {
  if (map->slots) memset(map->slots, 0, (size_t)map->slot_count * sizeof *map->slots);
  map->len = 0;
}

/* The slot that holds `key` or the empty one where it belongs. */
static uint32_t *map_slot(const Map *map, uint64_t key) {
  uint32_t mask = map->slot_count - 1;
  for (uint32_t i = (uint32_t)mix(key) & mask;; i = (i + 1) & mask) {
    uint32_t e = map->slots[i];
    if (!e || map->entries[e - 1].key == key) return &map->slots[i];
  }
}

uint64_t *map_get(const Map *map, uint64_t key) {
  if (!map->slot_count) return NULL;
  uint32_t e = *map_slot(map, key);
  return e ? &map->entries[e - 1].value : NULL;
}

static void map_rehash(Map *map) {
  map->slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS;
  map->slots = empty_slots(map->slots, map->slot_count);
  for (uint32_t i = 0; i < map->len; i++) *map_slot(map, map->entries[i].key) = i + 1;
}

uint64_t *map_at(Map *map, uint64_t key) {
  uint64_t *found = map_get(map, key);
  if (found) return found;
  if (too_full(map->len, map->slot_count)) map_rehash(map);
  if (map->len == map->cap) {
    map->cap = grown(map->cap);
    map->entries = mem_realloc(map->entries, (size_t)map->cap * sizeof *map->entries);
  }
  *map_slot(map, key) = map->len + 1;
  map->entries[map->len] = (MapEntry){key, 0};
  return &map->entries[map->len++].value;
}

void map_put(Map *map, uint64_t key, uint64_t value) {
  *map_at(map, key) = value;
}

uint64_t map_find(const Map *map, uint64_t key, uint64_t otherwise) {
  uint64_t *v = map_get(map, key);
  return v ? *v : otherwise;
}

void strmap_free(StrMap *map) {
  for (uint32_t i = 0; i < map->len; i++) mem_free((char *)map->entries[i].key);
  mem_free(map->entries);
  mem_free(map->slots);
  *map = (StrMap){0};
}

uint64_t map_hash(const void *bytes, size_t length) {
  return XXH3_64bits(bytes, length);
}

static uint32_t *strmap_slot(const StrMap *map, const char *key, size_t length,
                             uint64_t hash) {
  uint32_t mask = map->slot_count - 1;
  for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
    uint32_t e = map->slots[i];
    if (!e) return &map->slots[i];
    const StrMapEntry *entry = &map->entries[e - 1];
    if (entry->hash == hash && entry->length == length &&
        !memcmp(entry->key, key, length))
      return &map->slots[i];
  }
}

static uint64_t *strmap_look(const StrMap *map, const char *key, size_t length,
                             uint64_t hash) {
  if (!map->slot_count) return NULL;
  uint32_t e = *strmap_slot(map, key, length, hash);
  return e ? &map->entries[e - 1].value : NULL;
}

uint64_t *strmap_get(const StrMap *map, const char *key, size_t length) {
  return strmap_look(map, key, length, map_hash(key, length));
}

static void strmap_rehash(StrMap *map) {
  map->slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS;
  map->slots = empty_slots(map->slots, map->slot_count);
  for (uint32_t i = 0; i < map->len; i++)
    *strmap_slot(map, map->entries[i].key, map->entries[i].length, map->entries[i].hash) =
        i + 1;
}

uint64_t *strmap_at(StrMap *map, const char *key, size_t length) {
  uint64_t hash = map_hash(key, length);
  uint64_t *found = strmap_look(map, key, length, hash);
  if (found) return found;
  if (too_full(map->len, map->slot_count)) strmap_rehash(map);
  if (map->len == map->cap) {
    map->cap = grown(map->cap);
    map->entries = mem_realloc(map->entries, (size_t)map->cap * sizeof *map->entries);
  }
  char *copy = mem_alloc(length + 1);
  memcpy(copy, key, length);
  copy[length] = 0;
  *strmap_slot(map, key, length, hash) = map->len + 1;
  map->entries[map->len] = (StrMapEntry){copy, length, 0, hash};
  return &map->entries[map->len++].value;
}

void strmap_put(StrMap *map, const char *key, uint64_t value) {
  *strmap_at(map, key, strlen(key)) = value;
}

uint64_t strmap_find(const StrMap *map, const char *key, uint64_t otherwise) {
  uint64_t *v = strmap_get(map, key, strlen(key));
  return v ? *v : otherwise;
}
