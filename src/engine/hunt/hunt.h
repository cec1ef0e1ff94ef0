/* The hunt: runs of the model itself, directed at what the static engines could not exclude.
 *
 * For races, threads that are about to execute one of the questioned accesses are held back
 * until another thread is about to execute its partner on an overlapping address: both next is
 * a race, whatever the values that led there, because it did lead there. Accesses that are
 * never both next may still be unordered by happens-before of C11 (relaxed atomics, plain
 * flags, library functions): vector clocks find them in every run. Deadlocks and failed
 * assertions end a run by themselves. Every error comes with the schedule that led to it, and
 * is believed only after witness_check has followed that schedule on a machine of its own.
 *
 * A hunt proves nothing: what it does not find stays unknown. */
#ifndef HEDDLE_ENGINE_HUNT_HUNT_H
#define HEDDLE_ENGINE_HUNT_HUNT_H

#include "base/vec.h"
#include "engine/guide.h"
#include "engine/hunt/order.h"
#include "model/exec/exec.h"
#include "model/program.h"

#include <stdbool.h>

/* One decision of the scheduler, or one nondeterministic value. */
typedef struct {
  uint32_t thread;
  EdgeId edge;
  uint8_t kind; /* ExecChoiceKind */
  uint32_t waiter;
} HuntStep;

typedef VEC(HuntStep) HuntSteps;
typedef VEC(uint64_t) HuntValues;

typedef enum { WITNESS_NONE, WITNESS_RACE, WITNESS_DEADLOCK, WITNESS_ASSERT } WitnessKind;

typedef struct {
  WitnessKind kind;
  HuntSteps steps;
  HuntValues values;  /* for HAVOC, in order, in words of 64 bits */
  uint64_t seed;      /* for the rest of the machine's choices */
  uint32_t arguments; /* how many the program is given: see witness_arguments */
  const char *input;  /* what it finds at its standard input; constant. NULL: nothing */
  bool unlock_any;    /* threads may release locks that others hold */
  bool glibc;         /* ExecOptions.glibc */
  /* race: the two threads and what they are about to do; or have done, if `unordered`: in
   * these steps, the second of them the last one, and nothing orders the two */
  uint32_t threads[2];
  EdgeId edges[2];
  uint64_t address; /* first byte that both touch */
  bool unordered;
  uint32_t at[2];
  ObjectId hidden; /* not 0: state inside of the library */
  /* assertion: the edge; deadlock: the text of the machine */
  EdgeId edge;
  char *text;
  const char *engine; /* that found it; NULL: the hunt */
} Witness;

void witness_free(Witness *witness);

/* Programs take numbers for arguments, if any: how many threads, how many rounds. A run without
 * any comes first; the others get up to three small ones. Returns how many run `round` gets. */
uint32_t witness_argument_count(const Program *program, uint64_t round);
/* May waits for conditions end without a signal in run `round`? Programs must expect it, but
 * such a run is long where they do, and it has no deadlock. */
bool witness_wakes(uint64_t round);
/* … and whether what the program asks for may be refused. */
bool witness_refuses(uint64_t round);
/* What run `round` finds at its standard input. The environment is always empty. */
const char *witness_input(uint64_t round);
/* What a program with so many arguments is called with; its name is the first. */
const char *const *witness_arguments(void);

/* A questioned pair of edges (equal ones: one edge, two threads). */
typedef struct {
  EdgeId a, b;
} HuntPair;

/* What a run does to an object of synchronisation that has no defined meaning. */
typedef struct {
  EdgeId edge;      /* 0: nothing */
  const char *what; /* constant */
} Misuse;

typedef struct {
  const Program *program;
  const HuntPair *pairs;
  uint32_t pair_count;
  bool races, deadlocks, asserts; /* what to look for */
  uint64_t first_run, run_count;  /* which runs; no count: all that there is time for */
  bool unlock_any;                /* threads may release locks that others hold */
  bool glibc;                     /* every other one with ExecOptions.glibc */
  Misuse *ret_misuse;             /* or NULL: gets the first that a run shows, if any */
  bool lacks[WITNESS_ASSERT + 1]; /* kinds of errors of which one would be news */
  double seconds;                 /* at most */
  double extra;                   /* … after one of each of these kinds was found */
  uint64_t steps_per_run;         /* 0: a sensible limit */
  const volatile int *stop;
} HuntRequest;

typedef VEC(Witness) WitnessVec;

/* Runs until the time is over or everything that was asked for has been found. Each pair is
 * witnessed at most once, each assertion too, and one deadlock. All witnesses are checked. */
void hunt(const HuntRequest *request, WitnessVec *ret_witnesses);

/* The numbers that conditions compare with, and what an input must be to get past them. */
void hunt_constants(const Program *program, HuntValues *ret_values);

/* A plan, and how long it may be tried. */
typedef struct {
  const Program *program;
  const Plan *plan;
  bool unlock_any;
  double seconds; /* at most */
  const volatile int *stop;
} Guide;

/* Runs the model along the plan's steps: once exactly as the plan says, then with several choices
 * of values, arguments and inputs, until its target is reached. True: *ret_witness is a checked
 * witness of it. */
bool hunt_along(const Guide *guide, Witness *ret_witness);

/* The threads stand before these edges, and what these access next conflicts, from this address on. */
bool hunt_accesses_meet(Exec *exec, const uint32_t threads[2], const EdgeId edges[2],
                        uint64_t *ret_address);

/* The machine is in a deadlock: no thread can go on, or some wait for each other for ever. *ret_in, by
 * thread, gets those that do, for mem_free; it may be NULL. */
bool witness_is_stuck(Exec *exec, bool **ret_in);

/* Follows the witness's schedule on a fresh machine, step by step, and says whether the error
 * is really there at its end. Shares nothing with the hunt but the machine. */
bool witness_check(const Program *program, const Witness *witness);

/* Who looks on while a schedule is followed. Each may be NULL. */
typedef struct {
  void (*before)(void *user, Exec *exec, const HuntStep *step);
  void (*after)(void *user, Exec *exec, const HuntStep *step);
  void (*end)(void *user, Exec *exec); /* once, behind the last step */
  void (*event)(void *user, const ExecEvent *event, uint32_t step);
  /* what HAVOC, or a question whether something is refused, gets in a step */
  void (*value)(void *user, uint32_t step, EdgeId edge, const uint64_t *words);
  void *user;
} WitnessWatch;

/* The two accesses of a race that a schedule shows as unordered; false: it does not. */
bool witness_find_race(const Witness *witness, const OrderLog *log, uint32_t ret[2]);

/* Follows the schedule and calls the watch. False, and `end` is not called, if it cannot be
 * followed. */
bool witness_follow(const Program *program, const Witness *witness,
                    const WitnessWatch *watch);

#endif
