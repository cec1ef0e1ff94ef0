/* Memory as the model of a run has it (section 5.2 of the paper): accesses become events at
 * intervals of memory. Two bytes that are always accessed together, by the same threads in the
 * same stretches between their steps, are one interval, wherever they lie: the same question
 * decides both.
 *
 * Of the events only those are kept that can be part of a race. Each reduction can be switched
 * off, and what it removes is counted (tables 5.7 and 5.8):
 *
 *   intervals   memory that only one thread accesses, that nobody writes, or that is only
 *               accessed atomically, has no events
 *   hybrid      an access that is ordered in every run with all that it conflicts with, or
 *               shares a lock with them, has no event
 *   segments    of the accesses of a thread between two of its steps one is enough, and
 *               intervals with the same events are asked about once */
#ifndef HEDDLE_PREDICT_INTERVALS_H
#define HEDDLE_PREDICT_INTERVALS_H

#include "predict/run.h"

/* Bits: reductions that are not made. */
enum { WITHOUT_INTERVALS = 1, WITHOUT_HYBRID = 2, WITHOUT_SEGMENTS = 4 };

typedef enum {
  MEMORY_READ,
  MEMORY_WRITE,
  MEMORY_ATOMIC_READ,
  MEMORY_ATOMIC_WRITE,
  MEMORY_KINDS
} MemoryKind;

/* Accesses of a thread at one of its positions. */
typedef struct {
  uint32_t thread, position, interval;
  MemoryKind kind;
  uint32_t times; /* so many were there */
} MemoryEvent;

typedef struct {
  uint64_t accesses;     /* that were recorded */
  uint64_t emitted;      /* events, when each access is one at each interval it touches */
  uint64_t by_intervals; /* of them: removed by each reduction */
  uint64_t by_hybrid;
  uint64_t by_segments;
  uint64_t checks;    /* intervals that are left */
  uint64_t redundant; /* of them: that have the same events as others */
} ReductionCounts;

typedef struct {
  VEC(MemoryEvent) events; /* by thread and position */
  VEC(uint64_t) addresses; /* per interval: where the first of its bytes lies */
  ReductionCounts counts;
  bool cut; /* there are too many: nothing else is to be used */
} Intervals;

void intervals_find(const Run *run, uint32_t without, double deadline, Intervals *ret);
void intervals_free(Intervals *intervals);

/* Whether two accesses of different threads to the same memory conflict. */
bool intervals_conflict(MemoryKind a, MemoryKind b);

#endif
