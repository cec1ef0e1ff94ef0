/* Runs of a program in which threads are kept at given places of its source, so that others may come
 * to theirs meanwhile (runtime/rt_spot.c): pairs of accesses that meet are races. */
#ifndef HEDDLE_PREDICT_SPOTS_H
#define HEDDLE_PREDICT_SPOTS_H

#include "predict/atlas.h"
#include "predict/drive.h"

enum { SPOTS_MOST = 65000 };

typedef struct {
  uint32_t spot[2];
  uint32_t flags[2];    /* TRACE_WRITE, TRACE_ATOMIC */
  const char *variable; /* that is global, or NULL: none */
} Meeting;
typedef VEC(Meeting) Meetings;

typedef struct {
  Atlas atlas;
  VEC(uint64_t) reached; /* by number of the place - 1: how often, in all runs */
  Meetings meetings;     /* each pair of places once for each variable */
  uint32_t runs;
} Spots;

/* The program has the runtime inside and debug information. Free it in any case. */
bool spots_open(Spots *spots, const char *program, Err *err);
void spots_free(Spots *spots);

/* The number of a place; 0: it is not known, or there are too many. */
uint32_t spots_add(Spots *spots, const SourcePlace *place);

/* One run; drive->seed chooses when threads are kept, drive->patience for how long. True: the program
 * was run, and so many accesses met that had not met before. */
bool spots_run(Spots *spots, const Drive *drive, DriveResult *ret, uint32_t *ret_new,
               Err *err);

/* It is of these two places. */
bool meeting_is_of(const Meeting *meeting, uint32_t a, uint32_t b);

#endif
