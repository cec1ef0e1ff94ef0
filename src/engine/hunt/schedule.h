/* Who goes next in a run of the hunt.
 *
 * Most runs go on at random, in short bursts, and threads that have come to a questioned edge
 * are held there for a while, usually: then both accesses of a race are next. Some runs take
 * turns instead: each thread goes on until it has changed something that others may see, then
 * the next one does. Errors that need many threads to alternate exactly (two loops that feed each
 * other) are out of reach of chance, and the first thing that turns lead to. A few threads of
 * such a run stop where they are drawn to, and go on when nobody else can. Some go by rank (ranks.h).
 *
 * Every choice is drawn from one generator, so that the same seed gives the same run. */
#ifndef HEDDLE_ENGINE_HUNT_SCHEDULE_H
#define HEDDLE_ENGINE_HUNT_SCHEDULE_H

#include "base/map.h"
#include "model/exec/exec.h"
#include "model/program.h"

#include <stdbool.h>

enum { SCHEDULE_THREADS = 256 }; /* those behind are never held and never stop */

typedef struct {
  const Program *program;
  const Map *questioned; /* edge to 1 */
  bool deadlocks;        /* they are looked for */
  /* the run */
  uint64_t seed, random;
  uint64_t held_until[SCHEDULE_THREADS]; /* step up to which a thread is held */
  uint32_t burst_thread, burst_left;
  bool by_turns;
  bool by_stores;      /* a plain store ends a turn, too */
  uint32_t turn;       /* the thread that has it */
  uint32_t turn_left;  /* changes that it may still make */
  uint32_t turn_steps; /* … and steps */
  uint32_t idle_turns; /* that ended without a change, one after the other */
  uint32_t length[SCHEDULE_THREADS]; /* of a turn, in changes; 0: not drawn yet */
  uint32_t stops_after
      [SCHEDULE_THREADS]; /* operations that others may see; UINT32_MAX: never */
  /* by rank */
  bool by_ranks, each_alone, main_first;
  uint64_t salt;                   /* for the ranks of threads that begin in one place */
  uint32_t rank[SCHEDULE_THREADS]; /* 0: not drawn yet */
  uint32_t lowest;                 /* of those who stepped back */
  uint32_t cuts_left, until_cut;
} Schedule;

/* Begins the run of this number. */
void schedule_begin(Schedule *schedule, uint64_t seed);
/* A random number. */
uint64_t schedule_draw(Schedule *schedule);
/* The index of the next choice, of `n`; `step` grows by one each time, from 2 on. */
size_t schedule_pick(Schedule *schedule, const ExecChoice *choices, size_t n,
                     uint64_t step);

/* Others may see that the edge is taken. */
bool schedule_is_seen(const Edge *edge);
/* … and that it has changed something; plain stores count if `by_stores`. */
bool schedule_is_change(const Edge *edge, bool by_stores);

#endif
