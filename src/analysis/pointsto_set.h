/* Sets of locs: the points-to sets of the solver.
 *
 * A loc is a place in an object, anywhere in an object, or a function, by its number. A set is
 * a sorted list of blocks of 64 numbers; the places of one object lie side by side, so such
 * sets are short.
 *
 * Sets are values: each is kept once in a table and named by a SetNo, so that two sets are
 * equal exactly if their numbers are. Most pointers of a large program share few sets, and
 * the table remembers the unions and differences it was asked for: handing a set on costs a
 * look at a hash table, not a walk over its members.
 *
 * Invariant of every set in the table: with "anywhere in o" it has no place of o. */
#ifndef HEDDLE_ANALYSIS_POINTSTO_SET_H
#define HEDDLE_ANALYSIS_POINTSTO_SET_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A loc, by its number:
 *   place     object × LOC_PLACES + index of the place in the object
 *   anywhere  LOC_ANY + object: dense, because where pointers are mixed there are many; also
 *             the only loc of an object whose places are all one
 *   function  LOC_FUNCTION + function
 *   number    some number that may be an address nobody knows of; what is at NULL and around
 *             it is none. It stands for UNKNOWN where a pointer is nothing else. */
typedef uint64_t LocNo;
#define LOC_ANY      (UINT64_C(1) << 44)
#define LOC_FUNCTION (UINT64_C(1) << 45)
#define LOC_NUMBER   LOC_FUNCTION /* there is no function 0 */
#define LOC_UNKNOWN  LOC_ANY      /* anywhere in AOBJECT_UNKNOWN, which is 0 */
enum { LOC_PLACES = 1024 };
static inline bool loc_is_function(LocNo loc) {
  return loc > LOC_FUNCTION;
}
static inline bool loc_is_any(LocNo loc) {
  return loc & LOC_ANY;
}
static inline bool loc_is_place(LocNo loc) {
  return loc < LOC_ANY;
}
static inline uint32_t loc_object(LocNo loc) {
  return (uint32_t)(loc_is_any(loc) ? loc & ~LOC_ANY : loc / LOC_PLACES);
}
static inline uint32_t loc_index(LocNo loc) {
  return (uint32_t)(loc % LOC_PLACES);
}

typedef struct {
  uint64_t key;  /* the numbers 64 × key + i with bit i in `bits` */
  uint64_t bits; /* not 0 */
} LocBlock;

/* ---- a set under construction ---- */

typedef struct {
  LocBlock *blocks; /* ascending keys */
  uint32_t len, cap;
} LocSet; /* zero-initialise; release with locset_free */

void locset_free(LocSet *set);
void locset_add(LocSet *set, LocNo loc);
/* The numbers 64 × key + i for each bit i. */
void locset_add_block(LocSet *set, uint64_t key, uint64_t bits);

/* ---- finished sets ---- */

typedef uint32_t SetNo; /* 0: the empty set */

typedef struct {
  uint32_t first, count; /* blocks */
  uint32_t places;       /* how many of them, at the front, are of places */
  uint32_t hash;
} SetSpan;

typedef struct {
  VEC(LocBlock) blocks;
  VEC(SetSpan) spans; /* by SetNo */
  uint32_t *slots;    /* hash table of the sets: number, or 0 */
  uint32_t slot_count;
  Map unions, differences; /* (a, b) → set + 1, of the questions asked lately */
  VEC(LocBlock) scratch, merged[2];
} Sets;

void pt_sets_init(Sets *sets);
void pt_sets_free(Sets *sets);
/* The set of what was collected; `made` is empty afterwards. */
SetNo pt_sets_take(Sets *sets, LocSet *made);
SetNo pt_sets_one(Sets *sets, LocNo loc);
SetNo pt_sets_unite(Sets *sets, SetNo a, SetNo b);
/* Of several; the list is sorted and shortened on the way. */
SetNo pt_sets_unite_all(Sets *sets, SetNo *list, uint32_t count);
/* What is in a and not in b, where "anywhere in o" has all places of o. */
SetNo pt_sets_minus(Sets *sets, SetNo a, SetNo b);
bool pt_sets_is_one(const Sets *sets, SetNo set);

/* for (SetIter i = pt_sets_begin(n); pt_sets_next(s, &i, &loc);) … New sets may be made meanwhile. */
typedef struct {
  SetNo set;
  uint32_t block;
  uint64_t rest;
  uint64_t key;
} SetIter;

static inline SetIter pt_sets_begin(SetNo set) {
  return (SetIter){.set = set};
}

static inline bool pt_sets_next(const Sets *sets, SetIter *i, LocNo *ret_loc) {
  if (!i->rest) {
    const SetSpan *span = &sets->spans.data[i->set];
    if (i->block == span->count) return false;
    LocBlock block = sets->blocks.data[span->first + i->block++];
    i->key = block.key;
    i->rest = block.bits;
  }
  *ret_loc = i->key * 64 + (uint32_t)__builtin_ctzll(i->rest);
  i->rest &= i->rest - 1;
  return true;
}

#endif
