/* KISS: errors of concurrent programs by sequential checking.
 *
 * After Qadeer and Wu, "KISS: Keep It Simple and Sequential" (PLDI 2004): a concurrent program is
 * run as a sequential one that takes part of its schedules, and a sequential checker looks for an
 * error in that. Here the sequential program is not written down (heddle seq does that) but encoded:
 * the threads are unwound to lists of events (engine/seq), and a *family* of schedules says in which
 * orders events of different threads may happen:
 *
 *   balanced   those of the paper: a thread may be started at any point of another, stops for ever
 *              when it is left, and at most so many wait to be started (`ts`)
 *   rounds     all threads one after the other, K times over, each as far as it likes
 *   all        every order of all events, by variables for the order of events
 *
 * Memory is followed through the contexts of a schedule in their order, so the formula grows with
 * threads × events × rounds. What the solver finds is a schedule with all values from outside; it is
 * followed on the interpreter, and only what shows there counts. All schedules of a program of which
 * nothing was cut off also prove something (prove.h). */
#ifndef HEDDLE_ENGINE_KISS_KISS_H
#define HEDDLE_ENGINE_KISS_KISS_H

#include "engine/engine.h"
#include "engine/kiss/prove.h"
#include "engine/seq/seq.h"
#include "solve/solver.h"

/* ---- schedules ---- */

typedef struct {
  uint32_t rounds;
  bool balanced;    /* only what KISS runs: */
  uint32_t pending; /* … with `ts` of this size */
  bool all;         /* every schedule there is: rounds is 1 */
  bool stuck;       /* … and deadlocks are asked about */
  bool plain;       /* … in the formula of the checker */
} KissFamily;

/* What an error is. */
typedef struct {
  WitnessKind kind;
  uint32_t threads[2];
  uint32_t events[2]; /* race: both are next; assertion: the first one fails */
  bool
      unordered; /* race: both happen, and the interpreter finds nothing that orders them */
  bool standing; /* … they do not happen in the schedule, but both are next */
  Term holds;
} KissTarget;

typedef VEC(KissTarget) KissTargets;

typedef struct Rounds Rounds;

/* Encodes all schedules of the family: asserts what holds of them. */
Rounds *rounds_new(SeqProgram *seq, Solver *solver, const KissFamily *family);
void rounds_free(Rounds *rounds);
/* The event is performed; the thread stands before it, with all that comes before performed. */
Term rounds_performed(Rounds *rounds, uint32_t thread, uint32_t event);
Term rounds_is_next(Rounds *rounds, uint32_t thread, uint32_t event);
/* The cut is reached. */
Term rounds_cut(Rounds *rounds, uint32_t thread, uint32_t cut);
/* Something was done of which nothing is known (SeqRequest.whole). */
Term rounds_lost(Rounds *rounds);
/* Both accesses touch a common byte. */
Term rounds_overlap(Rounds *rounds, const SeqEvent *a, const SeqEvent *b);
/* No thread can go on, and some thread waits. 0: the schedules do not say. */
Term rounds_stuck(Rounds *rounds);
/* Some threads wait for each other, whatever the others do. 0: the schedules do not say. */
Term rounds_circle(Rounds *rounds);
/* There are waits that the two do not see. */
bool rounds_hides_waits(const Rounds *rounds);
/* All schedules, after a question was answered with yes: false if the model is no schedule. Then what it
 * got wrong was asserted, and the question can be asked again. Of other families it is always one. */
bool rounds_is_schedule(Rounds *rounds);
/* All schedules are in the formula: there were not too many for it. */
bool rounds_is_complete(const Rounds *rounds);
/* So many terms are in the formula, for the budget. */
uint64_t rounds_size(const Rounds *rounds);

/* One step of a schedule as the solver found it. */
typedef struct {
  uint32_t
      thread;  /* in the order of creation, from 1 (main) on, as the interpreter has it */
  EdgeId edge; /* 0: the thread runs to its end */
  uint32_t waiter; /* SIGNAL: whom it wakes, or 0 */
  bool late;       /* a wait that ends because its time is over */
  bool spurious;   /* a wait that ends for no reason */
  FuncId returns;  /* not 0: the step is the return from this function */
} KissStep;

typedef struct {
  uint32_t thread;
  EdgeId edge;
  uint32_t bits;
  uint64_t words[2];
} KissValue;

typedef struct KissSchedule {
  VEC(KissStep) steps;
  VEC(KissValue) values; /* of inputs, those of one thread and edge in their order */
  KissTarget target;
  uint32_t numbers[2]; /* the target's threads as the interpreter numbers them */
} KissSchedule;

/* After a question was answered with yes. */
void rounds_schedule(Rounds *rounds, const KissTarget *target,
                     KissSchedule *ret_schedule);
void kiss_schedule_free(KissSchedule *schedule);

/* ---- following (follow.c) ---- */

/* Runs the interpreter along the schedule, in the world of this round (witness_arguments and
 * its neighbours). True: *ret_witness leads to the error. */
bool kiss_follow(const Program *program, const SeqProgram *seq,
                 const KissSchedule *schedule, uint64_t world, bool unlock_any,
                 Witness *ret_witness);

/* ---- the search (search.c) ---- */

/* The bounds that searches begin with; those of loops in `more` grow. */
SeqBounds kiss_bounds(const Map *more);

/* How far a search came, so that the next one goes on there. */
typedef struct KissStage {
  uint32_t level, rounds, unanswered;
  uint64_t effort;
  double spent, spent_on_all, last_try;
  KissFamily family;
  bool everything;
  MapEntry *
      loops; /* that matter, and their bounds; first those of searches, then those of proofs */
  uint32_t loop_count, proof_loop_count;
} KissStage;

typedef struct {
  const Program *program; /* that witnesses are about */
  const Flow *flow;
  const HuntPair *pairs; /* of accesses that may race */
  uint32_t pair_count;
  const EdgeId *asserts; /* that may fail */
  uint32_t assert_count;
  bool deadlocks;
  bool unlock_any;
  /* What is to be proved, if it can be; shared: for that. */
  const KissQuestion *questions;
  uint32_t question_count;
  const uint8_t *shared_whole;
  uint32_t pending; /* of the paper's schedules: `ts`, or UINT32_MAX: all families */
  uint32_t rounds;  /* at most; 0: any number */
  bool all;         /* only all schedules at once */
  const struct KissStage
      *stage; /* or NULL: where the last search was when its time was over */
  double deadline;
  const volatile int *stop; /* or NULL: memory ran out, in this process */
  const Log *log;
  /* Called with each witness; true: it is known now. */
  bool (*show)(void *user, const Witness *witness);
  /* Called with a proof and the obligations that it is of. */
  void (*proved)(void *user, const KissProof *proof, const uint32_t *obligations,
                 uint32_t count);
  /* Called at the end. */
  void (*left)(void *user, const KissStage *stage);
  void *user;
} KissRequest;

typedef struct {
  uint32_t level;         /* the last one that was finished */
  KissFamily family;      /* the last schedules that have no error; 0 rounds: none */
  bool everything;        /* nothing was cut off within them */
  const char *gave_up;    /* or NULL */
  ProveObstacle no_proof; /* why there is none, and never will be */
  uint32_t unconfirmed;   /* schedules that the interpreter did not follow to an error */
} KissReport;

void kiss_search(const KissRequest *request, KissReport *ret_report);

#endif
