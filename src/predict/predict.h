/* Prediction: from a run to errors that other orders of its steps would show, each tried
 * in the real program by whoever calls. */
#ifndef HEDDLE_PREDICT_PREDICT_H
#define HEDDLE_PREDICT_PREDICT_H

#include "predict/confirm.h"
#include "predict/deadlocks.h"
#include "predict/intervals.h"
#include "predict/observe.h"
#include "predict/races.h"
#include "predict/schedule.h"
#include "verdict/property.h"

typedef enum {
  PREDICT_OPEN,     /* could neither be replayed nor excluded */
  PREDICT_REPLAYED, /* the error showed in the real program */
  PREDICT_OBSERVED, /* it happened in the recorded run itself */
  PREDICT_DROPPED,  /* refuted: the orders that lead to it are not the program's */
} PredictState;

typedef struct {
  Property property;
  PredictState state;
  const char *way; /* who found the order: see solve_way */
  uint32_t tries;  /* orders replayed */
  RacePair pair;   /* of a race */
  Schedule schedule;
  Control *shown; /* what the replay saw last, or NULL */
  /* Of a property of the user: the assertion, where it stands, and what is wrong. */
  char *rule, *rule_file, *why;
  uint32_t rule_line;
  Confirmation confirmation; /* of a race that showed */
  bool
      surprised; /* an order that keeps all values that were read could not be followed */
  bool seen;     /* it happened in the recorded run, as far as that was understood: */
  ObservedRace observed;
} Prediction;

typedef struct {
  uint64_t events, accesses, threads;
  uint64_t race_candidates, circles;
  uint64_t undecided;  /* situations for which the search was given up */
  uint64_t unexplored; /* situations that were not asked, or not for all of their orders:
                          the time did not suffice */
  uint64_t hurried;    /* those whose less likely orders were not tried: it was late */
  uint64_t distant;    /* pairs and circles outside of the window */
  uint64_t unswapped;  /* calls of pthread_once that were not tried in the other order */
  uint64_t thinned;    /* words of memory that were left out, see races.h */
  uint64_t left_out;   /* accesses that were not compared, see races.h */
  uint64_t uncompared; /* pairs of them, in one place, that were not */
  uint64_t unasked;    /* situations that were not tried: the budget was used up, or too
                          many of the same places were tried in vain */
  bool races_cut;      /* the time was over while accesses were compared */
  bool circles_cut;    /* there are more circles than were looked at */
  bool deadlock_undecided;
  bool openmp;                 /* threads were made by an OpenMP library */
  uint32_t property_undecided; /* assertions that were not decided */
  uint64_t replays;            /* of orders, in all */
  ReductionCounts reductions;
  bool reductions_cut; /* there were too many accesses to count them */
  bool observed_cut; /* not all that happened was looked at: time or memory ended first */
} PredictStats;

/* Replays the schedule in the real program. False ends the prediction (after filling
 * `err`). `ret` is fresh memory. */
typedef bool PredictReplay(void *user, const Schedule *schedule, Control **ret, Err *err);

typedef struct {
  bool race, deadlock;
  bool observe;         /* also what happened in the run itself */
  uint64_t memory;      /* bytes for that */
  const char *property; /* a file of CSP_M with assertions about PROGRAM, or NULL */
  const char *program;  /* its file, noted in the schedules */
  uint32_t orders;      /* to try for one situation */
  bool as_recorded; /* only orders of the recorded steps as they are: atomics read what
                            they read, waits are waited, routines of pthread_once are run by
                            who ran them */
  bool count_reductions; /* fill PredictStats.reductions */
  uint32_t without;      /* of them: not made, see intervals.h */
  uint32_t window;       /* events between the threads of a situation at most; 0: any */
  double deadline;       /* see deadline.h */
  double over; /* a moment: no further try begins after it, and in the second half
                            of the tries only likely ones; 0: without limit */
  PredictReplay *replay; /* NULL: every prediction stays open */
  void *user;
  Progress *progress;
  SolveLimits limits;
} PredictOptions;

typedef struct {
  VEC(Prediction) predictions;
  PredictStats stats;
} Predictions;

bool predict_all(const Run *run, const PredictOptions *options, Predictions *ret,
                 Err *err);
void predict_free(Predictions *predictions);
void prediction_free(Prediction *prediction);

#endif
