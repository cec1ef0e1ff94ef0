/* Sets of small numbers as sorted blocks of 64: the points-to sets of the solver.
 *
 * Zero-initialise to get an empty set; release with set_free. Numbers that are created one
 * after the other lie in the same block, so sets of targets of one object stay short. */
#ifndef HEDDLE_ANALYSIS_POINTSTO_SET_H
#define HEDDLE_ANALYSIS_POINTSTO_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t key; /* the numbers 64 × key + i with bit i in `bits` */
  uint32_t unused; /* 0: equal sets have equal bytes */
  uint64_t bits;
} LocBlock;

typedef struct {
  LocBlock *blocks; /* ascending keys, no empty block */
  uint32_t len, cap;
} LocSet;

void locset_free(LocSet *set);
static inline bool locset_empty(const LocSet *set) { return set->len == 0; }
bool locset_has(const LocSet *set, uint32_t member);
/* True when it was not there. */
bool locset_add(LocSet *set, uint32_t member);
/* set |= other; true when that changed it. */
bool locset_unite(LocSet *set, const LocSet *other);
/* set |= other \ without; true when that changed it. */
bool locset_unite_without(LocSet *set, const LocSet *other, const LocSet *without);
void locset_meet(LocSet *set, const LocSet *other);
uint32_t locset_count(const LocSet *set);

/* for (LocIter i = locset_begin(s); locset_next(&i, &member);) … The set must not change. */
typedef struct {
  const LocSet *set;
  uint32_t block;
  uint64_t rest;
} LocIter;

static inline LocIter locset_begin(const LocSet *set) {
  return (LocIter){set, 0, set->len ? set->blocks[0].bits : 0};
}

static inline bool locset_next(LocIter *i, uint32_t *ret_member) {
  while (!i->rest) {
    if (i->block + 1 >= i->set->len)
      return false;
    i->rest = i->set->blocks[++i->block].bits;
  }
  *ret_member = i->set->blocks[i->block].key * 64 + (uint32_t)__builtin_ctzll(i->rest);
  i->rest &= i->rest - 1;
  return true;
}

#endif
