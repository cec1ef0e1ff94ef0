/* Pairs of accesses that may race: the same memory, at least one write, not both atomic,
 * not ordered in every run, and without a common lock. */
#ifndef HEDDLE_PREDICT_RACES_H
#define HEDDLE_PREDICT_RACES_H

#include "predict/run.h"
#include "predict/sources.h"

/* One access, with the position of its thread. */
typedef struct {
  uint32_t thread, position;
  uint64_t address, pc;
  uint32_t size;
  bool write, atomic, frees;
} RaceAccess;

typedef struct {
  RaceAccess a, b;
} RacePair;

/* The same two places in the code; several pairs of accesses to choose from, those that
 * need least of the run first. */
typedef struct {
  VEC(RacePair) pairs;
  uint64_t more; /* pairs that are not among them */
  uint64_t key;  /* of the two places */
} RaceCandidate;

typedef struct {
  VEC(RaceCandidate) candidates;
  uint64_t words;    /* of memory that were accessed */
  uint64_t shared;   /* of them by several threads, and written */
  uint64_t thinned;  /* words that were not looked at, beside many of which some were */
  uint64_t left_out; /* accesses of words with too many different ones */
  uint64_t ordered, guarded; /* pairs of groups that were excluded, and why */
  uint64_t distant;          /* pairs that were not looked at: outside of the window */
  uint64_t uncompared;       /* pairs of groups that were not: there were too many */
  Sources sources;           /* what the reads saw */
  Sources strict;            /* the same, and what lay there when something was written:
                                a write may stand for reads before it */
  bool cut;                  /* the time was over: what came later was not looked at */
} Races;

typedef struct {
  uint32_t
      window; /* only pairs that are at most so many events apart in the run; 0: all */
  double deadline; /* see deadline.h */
  Progress *progress;
  bool places; /* all pairs of places in the code, not only some for each word */
} RacesOptions;

/* NULL: no window, no deadline, no progress. */
void races_find(const Run *run, const RacesOptions *options, Races *ret);
void races_free(Races *races);

#endif
