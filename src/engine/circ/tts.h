/* Thread transition systems: finitely many local states, any number of threads in each, and a
 * shared state that all of them see.
 *
 * A thread is in a local state: a location of its automaton and what is known of its own
 * variables. The shared state is split into groups; each has one of its values at any time. A
 * step takes one thread from a local state to another, if the groups that it touches have the
 * values that it needs, and gives them new ones; it may start threads. Groups that it does not
 * touch it leaves alone. Predicate abstraction of a program with threads (abstract.h) makes such
 * systems, and so does whoever wants to test what decides them.
 *
 * While a thread is in an atomic local state only it moves. No thread begins in one, so there is
 * never more than one.
 *
 * An error is a pair of local states in which two threads are at the same time, or one in which
 * a thread is, while the groups that it names have the values that it names and nobody is in
 * an atomic local state, unless the error itself names it.
 *
 * A step may shake threads: all others that are in the state `from` go to `to` at the same time,
 * because what is known of their variables is about a shared variable, too, which the step has
 * changed. `to` is a state of its own with steps to all states that are possible then. Threads that
 * the step itself starts are not shaken.
 *
 * Paper: symmetric predicate abstraction (Donaldson, Kaiser, Kroening, Tautschnig, Wahl, FMSD
 * 2012). Everything is a number from 0 on. */
#ifndef HEDDLE_ENGINE_CIRC_TTS_H
#define HEDDLE_ENGINE_CIRC_TTS_H

#include "base/str.h"
#include "base/vec.h"
#include "net/limits.h"
#include "net/net.h"
#include "net/solve.h"

#include <stdbool.h>
#include <stdint.h>

#define TTS_NONE UINT32_MAX

/* A group and the value that it must have; of a step also the one that it gets. */
typedef struct {
  uint32_t group, before, after;
} TtsTouch;

typedef struct {
  uint32_t from, to; /* local states; to TTS_NONE: the thread has ended */
} TtsShake;

typedef struct {
  uint32_t from, to; /* local states; to TTS_NONE: the thread ends */
  uint32_t first_touch, touch_count;
  uint32_t first_spawn, spawn_count; /* Tts.spawns */
  uint32_t first_shake, shake_count;
  uint32_t label; /* the maker's own: what it stands for */
} TtsStep;

typedef struct {
  uint32_t kind, location; /* the maker's own: which automaton, and where */
  bool atomic;
} TtsLocal;

typedef struct {
  uint32_t size;                         /* how many values */
  uint32_t first_initial, initial_count; /* Tts.initials: it begins with any of them */
} TtsGroup;

/* Threads that are there from the beginning: `count` of them (NET_OMEGA: any number), each in any
 * of these local states. */
typedef struct {
  uint32_t count;
  uint32_t first_initial, initial_count; /* Tts.initials */
} TtsThreads;

typedef struct {
  uint32_t
      locals[2]; /* the second may be TTS_NONE, or the same as the first: two threads */
  uint32_t first_touch, touch_count; /* `after` does not matter */
  uint32_t label;                    /* the maker's own */
} TtsError;

typedef struct {
  VEC(TtsGroup) groups;
  VEC(TtsLocal) locals;
  VEC(TtsThreads) threads;
  VEC(TtsStep) steps;
  VEC(TtsError) errors;
  VEC(TtsTouch) touches; /* of one step or error: each group at most once */
  VEC(TtsShake) shakes;
  VEC(uint32_t) spawns;
  VEC(uint32_t) initials;
} Tts;

void tts_free(Tts *tts);
/* Is it a system as described above? If not, `why` (or NULL) gets a sentence. For asserts and
 * tests. */
bool tts_is_valid(const Tts *tts, Str *why);
/* For people and logs. */
void tts_print(const Tts *tts, Str *out);

/* One step of a run: which thread (numbered: first those of `threads` as they are needed, then in
 * the order in which they are started) does it. */
typedef struct {
  uint32_t step, thread;
} TtsMove;

/* A run to an error. Of the threads that are there from the beginning it has those that move or
 * are in the error; the others do nothing. */
typedef struct {
  VEC(TtsMove) moves;
  VEC(uint32_t) starts;  /* local state that each thread begins in */
  VEC(uint32_t) parents; /* the move that started it, or TTS_NONE: it was there */
  VEC(uint32_t) origins; /* then which of Tts.threads it is one of; otherwise TTS_NONE */
  VEC(uint32_t) values;  /* that each group begins with */
  uint32_t error,
      racers[2]; /* which error, and the threads in its local states; the second is
                              * TTS_NONE if the error names one local state */
} TtsRun;

void tts_run_free(TtsRun *run);
/* Fires the run step by step, by the definition above. */
bool tts_run_check(const Tts *tts, const TtsRun *run, Str *why);

typedef struct {
  NetVerdict verdict;
  char *reason; /* of NET_UNKNOWN; owned */
  bool defect;  /* the reason is a defect of heddle */
  TtsRun run;   /* of NET_UNSAFE */
  Net *net;     /* of NET_SAFE: the net that `evidence` is about; owned */
  NetEvidence evidence;
  const char *method;
} TtsAnswer;

void tts_answer_free(TtsAnswer *answer);

/* The system as a Petri net: a place for each value of a group and for each local state. The same
 * system always gives the same net, with the same numbers. Places that cannot get a token may be
 * there. Transition i is step i, behind them are choices of what the system begins with; target i
 * is error i. */
Net *tts_net(const Tts *tts);
/* Decided by coverability, for any number of threads. */
void tts_solve(const Tts *tts, const NetLimits *limits, TtsAnswer *ret);

#endif
