/* Vector clocks: which accesses of a run are unordered by happens-before.
 *
 * In come the events of a watched machine (ExecEvent), in their order; out goes each pair
 * of accesses to a common byte, by different threads, one of them a write and not both
 * atomic, of which neither happens before the other. Happens-before is that of C11: the
 * order of each thread, and what synchronises (Lamport 1978; Mattern 1989; for the shadow
 * of memory Flanagan and Freund, FastTrack, 2009):
 *  - releasing and acquiring a channel, creating and joining threads;
 *  - an acquiring read that finds a value of a release sequence synchronises with the
 *    release that heads it; the sequence goes on through read-modify-writes of anybody and
 *    through stores of the thread that began it;
 *  - a release fence lets the stores after it head such sequences, an acquire fence makes
 *    the reads before it acquire.
 * Only accesses of edges that are asked for are remembered; the order is always complete. */
#ifndef HEDDLE_MODEL_EXEC_CLOCKS_H
#define HEDDLE_MODEL_EXEC_CLOCKS_H

#include "model/exec/exec.h"

typedef struct Clocks Clocks;

/* An access that was remembered. */
typedef struct {
  EdgeId edge;
  uint32_t thread;
  uint32_t step;    /* Clocks' caller's own count */
  uint8_t access;   /* of ExecAccessKind */
  uint64_t address; /* first byte that both accesses touch */
} ClockAccess;

/* Is this edge asked for? */
typedef bool ClocksWants(void *user, EdgeId edge);
/* The access `now` is unordered with `before`. */
typedef void ClocksRace(void *user, const ClockAccess *before, const ExecEvent *now);

Clocks *clocks_new(ClocksWants *wants, ClocksRace *race, void *user);
void clocks_free(Clocks *clocks); /* accepts NULL */
/* A new run begins. */
void clocks_clear(Clocks *clocks);
/* `step`: which step of the run the event belongs to. */
void clocks_event(Clocks *clocks, const ExecEvent *event, uint32_t step);

#endif
