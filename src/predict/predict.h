/* Prediction: from a run to errors that other orders of its steps would show, each tried
 * in the real program by whoever calls. */
#ifndef HEDDLE_PREDICT_PREDICT_H
#define HEDDLE_PREDICT_PREDICT_H

#include "predict/confirm.h"
#include "predict/deadlocks.h"
#include "predict/races.h"
#include "predict/schedule.h"

typedef enum { PREDICT_RACE, PREDICT_DEADLOCK } PredictProperty;

typedef enum {
  PREDICT_OPEN,     /* could neither be replayed nor excluded */
  PREDICT_REPLAYED, /* the error showed in the real program */
  PREDICT_DROPPED,  /* no order that leads to it can be followed */
} PredictState;

typedef struct {
  PredictProperty property;
  PredictState state;
  const char *way; /* who found the order: see solve_way */
  uint32_t tries;  /* orders replayed */
  RacePair pair;   /* of a race */
  Schedule schedule;
  Control *shown;            /* what the replay saw last, or NULL */
  Confirmation confirmation; /* of a race that showed */
} Prediction;

typedef struct {
  uint64_t events, accesses, threads;
  uint64_t race_candidates, circles;
  uint64_t undecided;  /* situations for which the search was given up */
  uint64_t unexplored; /* situations for which the time did not suffice */
  uint64_t distant;    /* pairs and circles outside of the window */
  uint64_t unswapped;  /* calls of pthread_once that were not tried in the other order */
  uint64_t left_out;   /* accesses that were not compared, see races.h */
  bool deadlock_undecided;
  uint64_t replays; /* of orders, in all */
} PredictStats;

/* Replays the schedule in the real program. False ends the prediction (after filling
 * `err`). `ret` is fresh memory. */
typedef bool PredictReplay(void *user, const Schedule *schedule, Control **ret, Err *err);

typedef struct {
  bool race, deadlock;
  const char *program;   /* its file, noted in the schedules */
  uint32_t orders;       /* to try for one situation */
  uint32_t window;       /* events between the threads of a situation at most; 0: any */
  double seconds;        /* for all of it; 0: no limit */
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

#endif
