/* What the files of the search share. See kiss.h. */
#ifndef HEDDLE_ENGINE_KISS_SEARCH_INTERNAL_H
#define HEDDLE_ENGINE_KISS_SEARCH_INTERNAL_H

#include "base/clock.h"
#include "engine/kiss/kiss.h"

typedef struct {
  const KissRequest *request;
  KissReport *report;
  uint8_t *shared;
  uint8_t *asked;  /* by EdgeId: some pair has it */
  Map more;        /* bounds of loops that matter */
  Map proof_more;  /* … to a proof */
  Map known_pairs; /* pairs of edges, and assertions, that are shown */
  bool stuck_known;
  uint32_t level, rounds;
  bool all;            /* this level is about all schedules */
  bool finished;       /* nothing is left to ask */
  bool no_proof;       /* a proof was found, or there is none */
  uint32_t misses;     /* of this question, one after the other */
  bool deeper;         /* the bounds of some loops have grown */
  uint64_t world;      /* which arguments there are, and whether anything is refused */
  uint64_t effort;     /* for one question */
  uint32_t unanswered; /* the fewest rounds for which it was too little; 0: none */
  double deadline;     /* of this question */
  double spent, spent_on_all; /* seconds, on rounds and on all schedules */
  double last_try;            /* seconds that all schedules had the last time */
} Search;

static inline bool search_is_over(const Search *s) {
  const volatile int *stop = s->request->stop;
  return clock_now() >= s->deadline || (stop && *stop);
}

/* search.c. False: larger questions are out of reach. */
bool search_level(Search *s);
/* Something is open, to be found or to be proved. */
bool search_has_open(const Search *s);

/* targets.c: the errors that are looked for */
void targets_of_races(Search *s, Rounds *r, const SeqProgram *seq, bool unordered,
                      KissTargets *targets);
void targets_of_asserts(Search *s, Rounds *r, const SeqProgram *seq,
                        KissTargets *targets);
void targets_of_deadlocks(Search *s, Rounds *r, KissTargets *targets);
/* A model: one of the targets that hold in it is followed, and is no target any more. */
void targets_take_model(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                        KissTargets *targets);
bool targets_know_pair(const Search *s, const HuntPair *pair);
/* The interpreter goes the way of the schedule, and what is an error there is shown. */
bool targets_follow(Search *s, const SeqProgram *seq, const KissSchedule *schedule);
void targets_drop_proved(Search *s, const KissQuestion *question);

/* search_all.c: all schedules at once, to prove or to find */
bool search_may_prove(const KissRequest *request);
/* By turns with rounds: they get as much time, and no more. */
void search_all(Search *s);
/* Nothing else is left to ask: all the time that there is. */
void search_all_to_the_end(Search *s);

#endif
