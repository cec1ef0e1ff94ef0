/* A recorded run as prediction sees it: the steps that order threads, with what each of
 * them needs, takes and gives.
 *
 * A step is an event at which a thread waits for its turn in a replay. Objects are the
 * things that steps act on; an address that gets a new life (a mutex is destroyed, memory
 * is freed) is a new object. Position p of a thread is the moment before its p-th step.
 * Everything is owned by the Run; the trace must outlive it. */
#ifndef HEDDLE_PREDICT_RUN_H
#define HEDDLE_PREDICT_RUN_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/trace.h"

enum { NO_STEP = 0xffffffffu };

typedef struct {
  uint32_t event; /* into Trace.events */
  TraceOp op;
  uint32_t thread;
  uint32_t place;  /* among the steps of its thread */
  uint32_t object; /* or 0 */
  uint32_t lock;   /* the lock that is acquired or released by it, or 0 */
  bool acquires, releases, shared;
  bool spurious;  /* woken without a signal */
  bool wanted;    /* a signal that the exit of a wait loop needs, see skips.h */
  uint8_t rounds; /* so many steps of its thread, with this as the last, were repeated */
  bool loose;     /* an atomic that read what no atomic wrote: its value says nothing */
  uint32_t needs; /* the step that must come before in every order, or NO_STEP */
  uint32_t matched; /* the one that it followed in this run (writer, post, signal) */
  uint32_t partner; /* of an acquire: the step that releases; of a release: the acquire */
  uint32_t round;   /* of a barrier: into Run.rounds */
  uint64_t before, after; /* values of an atomic */
} Step;

typedef struct {
  VEC(uint32_t) enters;
} Round;

typedef enum {
  OBJECT_NONE,
  OBJECT_THREAD,
  OBJECT_LOCK,
  OBJECT_CONDITION,
  OBJECT_SEMAPHORE,
  OBJECT_BARRIER,
  OBJECT_ONCE,
  OBJECT_ATOMIC,
  OBJECT_ORDER, /* annotations */
} ObjectKind;

typedef struct {
  uint64_t address;
  ObjectKind kind;
  uint32_t
      initial; /* of a semaphore: its value; of a barrier: how many; a thread: number */
  uint32_t users; /* of a barrier: how many threads ever use it */
  bool fixed;     /* of a barrier: its rounds are the same in every order */
  uint64_t value; /* of an atomic, before its first operation */
  bool value_known;
} Object;

/* A set of held locks: the acquiring steps, ascending by lock. */
typedef struct {
  const uint32_t *steps; /* one that acquired it, for each lock */
  const uint32_t *locks;
  const bool *shared;
  uint32_t count;
  uint32_t kind; /* the same for sets of the same locks */
} LockSet;

/* What a thread knows of others from a position on, in every order of the run. */
typedef struct {
  const uint32_t *clock; /* per thread: so many of its steps come before */
} Epoch;

typedef struct {
  VEC(uint32_t) steps;     /* into Run.steps */
  VEC(uint32_t) positions; /* of each event of the thread in the trace: steps before it */
  VEC(uint32_t) held;      /* per position: into Run.lock_sets */
  VEC(uint32_t) epochs;    /* per position: into Run.epochs */
} RunThread;

typedef struct {
  const Trace *trace;
  Arena *arena;
  uint32_t own; /* what an event accesses itself is so many positions behind what precedes
                   it: 0, but see hb.h */
  VEC(Step) steps; /* in the order of the run */
  VEC(Object) objects;
  VEC(Round) rounds;
  VEC(RunThread) threads;
  VEC(LockSet) lock_sets;
  VEC(Epoch) epochs;
  StrMap set_kinds;
} Run;

void run_init(Run *run, const Trace *trace, Progress *progress);
void run_free(Run *run);

/* True when the step after position `p` of thread `t` comes before position `q` of thread
 * `u` in every order of the run. */
bool run_ordered(const Run *run, uint32_t t, uint32_t p, uint32_t u, uint32_t q);
/* The first step that is not before an event of the trace. */
uint32_t run_step_at(const Run *run, uint64_t event);
/* The event that a position follows; 0 for the first one. */
uint32_t run_event_before(const Run *run, uint32_t t, uint32_t p);
/* How many events of the run lie between two positions. */
uint32_t run_distance(const Run *run, uint32_t t, uint32_t p, uint32_t u, uint32_t q);
/* True when the sets have a lock in common that excludes the two from each other. */
bool run_guarded(const Run *run, uint32_t set_a, uint32_t set_b);

#endif
