/* What the parts of prediction share: the questions of one run, what was tried, and what is
 * known from that. Only predict.c, attempt.c, try_deadlocks.c and try_races.c include it. */
#ifndef HEDDLE_PREDICT_PREDICTOR_H
#define HEDDLE_PREDICT_PREDICTOR_H

#include "predict/deadline.h"
#include "predict/predict.h"

typedef struct {
  const Run *run;
  const PredictOptions *o;
  Predictions *ret;
  Err *err;
  double end;    /* or 0 */
  double began;  /* predicting */
  double first;  /* the moment of the first try, or 0, */
  double over;   /* and of the last one, or 0 */
  uint64_t work; /* that is left for questions */
  uint64_t kept; /* steps of schedules that will be written */
  SolveLimits limits, short_limits;
  const Sources *strict; /* of the races that are tried, or NULL */
  Map seen;      /* keys of the races that happened: these are errors without a replay */
  bool is_seen;  /* one of them is asked for */
  bool skipping; /* `run` is one without some waits */
  StrMap stuck;  /* places of the deadlocks that showed */
  StrMap segments; /* SegmentKey of the races that showed */
  StrMap races;    /* RaceKey of the races that are reported */
  Map pairs;       /* keys of the candidates that were looked at */
  Map met;         /* keys of those that showed, or that whoever comes was kept for */
  StrMap asked;    /* SituationKey → Asked, of this run */
  bool stamped;    /* name and hash of the program are known: */
  char *program;
  uint64_t program_hash;
} Predictor;

/* The time is over; what was found has still to be written. */
bool predictor_time_is_over(const Predictor *p);
/* Until when races are sought, before any is tried: as long as the time lasts, and at least
 * as long as it took to find out what happened. */
double predictor_search_end(const Predictor *p);
/* Half of the time for tries is over. From now on only orders are tried that
 * keep what the threads read. */
bool predictor_is_late(const Predictor *p);
/* A part of that: what is an error already gets no replay from now on. */
bool predictor_is_enough_for_seen(const Predictor *p);
/* The run is another one: what is known by positions does not hold in it. */
void predictor_set_run(Predictor *p, const Run *run);

/* ---- attempt.c -------------------------------------------------------------------- */

/* Which orders of a situation: all, only the first one when it is cheap to have, or all
 * but that one. */
typedef enum { ORDERS_ALL, ORDERS_QUICK, ORDERS_REST } Orders;

/* Asks for orders until the error shows. *ret_found: at least one order exists. The answer
 * is the last one; SOLVE_FOUND also when the time was over first. */
bool attempt_situation(Predictor *p, Prediction *x, Solver *solver, Orders which,
                       bool *ret_found, SolveAnswer *ret_answer);
/* Replays without an order: whoever comes to one of the two places is kept there until
 * another thread comes to the other one. Makes the prediction, which is dropped unless it
 * showed. False after filling p->err. */
bool attempt_meeting(Predictor *p, const RacePair *pair, Prediction *ret);
/* Ends the question, which is paid for. */
void attempt_end(Predictor *p, Solver *solver);
/* The prediction becomes one of the result when something was found and it is new; it is
 * released otherwise. */
void attempt_keep(Predictor *p, Prediction *x, bool found);

/* ---- try_deadlocks.c, try_races.c: false after filling p->err --------------------- */

bool try_circles(Predictor *p);      /* of locks */
bool try_any_deadlock(Predictor *p); /* the run as a CSP system */
/* Finds what may race in the run, and whose writes its reads saw: until the end all orders are
 * sought that keep what was read. */
void try_races_begin(Predictor *p, Races *ret);
bool try_races(Predictor *p, const Races *races);
void try_races_end(Predictor *p, Races *races);
/* Items of work that one thread happened to do both (exchange.h). */
bool try_exchanges(Predictor *p);
/* The same for runs in which other threads run the routines of pthread_once: what is new
 * in them. */
bool try_races_behind_once(Predictor *p);

#endif
