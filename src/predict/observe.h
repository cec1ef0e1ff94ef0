/* Races that happened: pairs of conflicting accesses that nothing ordered in the recorded run
 * itself. No other order is needed for these, and no replay.
 *
 * That holds as far as the run was seen. Where a call, a value or a thread that is not
 * understood may have ordered the two (hb.h), the pair is only presumed ordered: it is kept,
 * with the reason, and is no error. */
#ifndef HEDDLE_PREDICT_OBSERVE_H
#define HEDDLE_PREDICT_OBSERVE_H

#include "predict/races.h"

/* Why a race that was seen is perhaps none. */
typedef enum {
  OBSERVED_CERTAIN,
  OBSERVED_STRANGER, /* a thread that nobody was seen to create */
  OBSERVED_CALL,     /* a call that may have waited for the other thread: `call` */
  OBSERVED_LIBRARY,  /* no replay brought the two together; a library was not watched */
  OBSERVED_UNKNOWN,  /* something else that was not seen */
} ObservedDoubt;

enum { OBSERVED_LOCKS = 8 };

typedef struct {
  RacePair pair; /* positions are those of the run, as in predictions */
  uint64_t key;  /* of the two places, as that of a RaceCandidate */
  ObservedDoubt doubt;
  uint32_t waited; /* the thread whose call came back */
  uint64_t call;   /* where */
  uint64_t
      known[2]; /* the last thing of the other that thread i knew of: its place, or 0 */
  TraceOp known_op[2];
  uint64_t locks[2][OBSERVED_LOCKS]; /* that the two held; 0 behind the last */
} ObservedRace;

typedef struct {
  VEC(ObservedRace) races;       /* one for each pair of places in the code */
  uint64_t left_out, uncompared; /* as in Races */
  bool cut; /* the time was over, or the memory did not suffice: there may be more */
} Observed;

/* `memory` in bytes, for clocks. */
void observe_races(const Run *run, const RacesOptions *options, uint64_t memory,
                   Observed *ret);
void observe_free(Observed *observed);

#endif
