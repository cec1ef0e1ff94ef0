/* Sorted block sets: see pointsto_set.h. Unions merge from the back, so that one allocation
 * at most is needed and the destination is written in place. */
#include "analysis/pointsto_set.h"

#include "base/mem.h"

#include <string.h>

void locset_free(LocSet *set) {
  mem_free(set->blocks);
  *set = (LocSet){0};
}

/* The first block whose key is not below `key`. */
static uint32_t lower_bound(const LocSet *set, uint32_t key) {
  uint32_t low = 0, high = set->len;
  if (high && set->blocks[high - 1].key < key)
    return high;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (set->blocks[mid].key < key)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void reserve(LocSet *set, uint32_t len) {
  if (len <= set->cap)
    return;
  uint32_t cap = set->cap ? set->cap * 2 : 2;
  set->cap = cap < len ? len : cap;
  set->blocks = mem_realloc(set->blocks, set->cap * sizeof *set->blocks);
}

bool locset_has(const LocSet *set, uint32_t member) {
  uint32_t i = lower_bound(set, member / 64);
  return i < set->len && set->blocks[i].key == member / 64 &&
         (set->blocks[i].bits >> member % 64 & 1);
}

bool locset_add(LocSet *set, uint32_t member) {
  uint32_t key = member / 64, i = lower_bound(set, key);
  uint64_t bit = UINT64_C(1) << member % 64;
  if (i < set->len && set->blocks[i].key == key) {
    bool fresh = !(set->blocks[i].bits & bit);
    set->blocks[i].bits |= bit;
    return fresh;
  }
  reserve(set, set->len + 1);
  memmove(&set->blocks[i + 1], &set->blocks[i], (set->len - i) * sizeof *set->blocks);
  set->blocks[i] = (LocBlock){.key = key, .bits = bit};
  set->len++;
  return true;
}

static uint64_t bits_of(const LocSet *set, uint32_t key, uint32_t *at) {
  while (*at < set->len && set->blocks[*at].key < key)
    (*at)++;
  return *at < set->len && set->blocks[*at].key == key ? set->blocks[*at].bits : 0;
}

bool locset_unite_without(LocSet *set, const LocSet *other, const LocSet *without) {
  /* count the blocks that are new, and see whether anything changes at all */
  uint32_t at_set = 0, at_without = 0, added = 0;
  bool changed = false;
  for (uint32_t i = 0; i < other->len; i++) {
    uint32_t key = other->blocks[i].key;
    uint64_t bits = other->blocks[i].bits;
    if (without)
      bits &= ~bits_of(without, key, &at_without);
    if (!bits)
      continue;
    uint64_t have = bits_of(set, key, &at_set);
    added += !have;
    changed = changed || (bits & ~have);
  }
  if (!changed)
    return false;
  reserve(set, set->len + added);
  uint32_t from = set->len, to = set->len + added, i = other->len;
  uint32_t w = without ? without->len : 0;
  set->len = to;
  while (i-- > 0) {
    uint32_t key = other->blocks[i].key;
    uint64_t bits = other->blocks[i].bits;
    while (w > 0 && without->blocks[w - 1].key > key)
      w--;
    if (w > 0 && without->blocks[w - 1].key == key)
      bits &= ~without->blocks[w - 1].bits;
    if (!bits)
      continue;
    while (from > 0 && set->blocks[from - 1].key > key)
      set->blocks[--to] = set->blocks[--from];
    if (from > 0 && set->blocks[from - 1].key == key) {
      LocBlock block = set->blocks[--from];
      block.bits |= bits;
      set->blocks[--to] = block;
    } else {
      set->blocks[--to] = (LocBlock){.key = key, .bits = bits};
    }
  }
  return true;
}

bool locset_unite(LocSet *set, const LocSet *other) {
  return locset_unite_without(set, other, NULL);
}

void locset_meet(LocSet *set, const LocSet *other) {
  uint32_t kept = 0, at = 0;
  for (uint32_t i = 0; i < set->len; i++) {
    LocBlock block = set->blocks[i];
    block.bits &= bits_of(other, block.key, &at);
    if (block.bits)
      set->blocks[kept++] = block;
  }
  set->len = kept;
}

uint32_t locset_count(const LocSet *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->len; i++)
    n += (uint32_t)__builtin_popcountll(set->blocks[i].bits);
  return n;
}
