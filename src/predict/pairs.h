/* Groups of accesses to one word of memory, compared with each other: which of them may
 * race. */
#ifndef HEDDLE_PREDICT_PAIRS_H
#define HEDDLE_PREDICT_PAIRS_H

#include "predict/races.h"

/* Accesses of a thread with the same bytes of a word, of the same kind, under the same
 * locks and with the same clock. What the filters say of one holds for all. */
typedef struct {
  uint32_t next; /* group of the word + 1 */
  uint32_t word, thread;
  uint32_t lock_kind, epoch;
  uint8_t mask;
  bool write, atomic, frees;
  uint64_t place; /* in the code, or 0: any */
  RaceAccess first, last;
} Group;

typedef struct {
  const Run *run;
  Races *races;
  uint32_t window; /* or 0 */
  double deadline; /* or 0 */
  uint64_t budget; /* comparisons that are left */
  Map keys;        /* of two places → candidate + 1 */
} Pairs;

/* Compares each of the first `fresh` groups with all others, and adds what may race to the
 * candidates. All are of the same word. */
void pairs_compare(Pairs *pairs, const Group *const *groups, uint32_t fresh,
                   uint32_t count);
/* Puts the pairs of each candidate in the order in which they should be tried. */
void pairs_finish(Pairs *pairs);

/* The key of a candidate: the same for both orders of its places. */
uint64_t pairs_key(uint64_t pc_a, uint64_t pc_b);

#endif
