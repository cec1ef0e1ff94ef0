/* The abstract machine: one state, and the steps that a thread of it can take.
 *
 * machine_step runs one thread from where it is to its next visible operation: one that
 * other threads can notice or that can wait (synchronisation, atomics). Where a step can
 * go several ways (a branch over TOP, a timeout, which thread a barrier chooses) it asks
 * machine_choose; the explorer repeats the step for every answer.
 *
 * A step whose end is that no execution goes on (a failed assertion, a false assumption,
 * the end of a call that never returns) is a step like any other: what the thread did
 * before has happened, and the others may go on from there.
 *
 * Everything here errs to one side: what a thread may do in the program it may do here,
 * unless the outcome says otherwise. What is not understood gives OUTCOME_GIVE_UP. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_MACHINE_H
#define HEDDLE_ENGINE_INTERLEAVE_MACHINE_H

#include "base/map.h"
#include "base/str.h"
#include "engine/abseval.h"
#include "engine/interleave/state.h"
#include "model/lower.h"

typedef enum {
  OUTCOME_DONE,    /* at the next visible operation, or ended */
  OUTCOME_BLOCKED, /* nothing happened: it has to wait */
  OUTCOME_PRUNED,  /* no execution is like this (undefined), or none goes on and nothing
                      happened before */
  OUTCOME_STOPPED, /* something happened, and then no execution goes on (assumed away, or
                      the end of the program): the thread makes no more steps */
  OUTCOME_EXIT,    /* the program has ended */
  OUTCOME_RACE,    /* two accesses that nothing orders: race_edges */
  OUTCOME_GIVE_UP, /* see `why` */
  OUTCOME_HALT,    /* inside of the machine: this thread goes no further */
  OUTCOME_NEXT,    /* inside of the machine: go on with the next edge */
  OUTCOME_PAUSE,   /* inside of the machine: enough for one step, nothing happened */
} Outcome;

/* One place that an access may touch. */
typedef struct {
  uint32_t instance;
  uint32_t offset;
  bool within; /* anywhere in the instance: the offset does not count */
} MemPlace;

typedef VEC(MemPlace) MemPlaces;

enum { MAX_CHOICES = 4 };

/* What the program may do, and what the search wants to know. */
typedef struct {
  bool deadlocks;         /* follow signals; a wake-up without one is marked `idle` */
  bool unlock_any;        /* threads may release locks that others hold */
  uint32_t threads;       /* at once from one creating point; 0: no bound */
  bool split;             /* unknown indices are tried one by one: split.c */
  bool weak;              /* atomics may read old values: weak.c */
  const uint8_t *settled; /* by EdgeId: reads of no value of the future; or NULL */
} MachineOptions;

/* Why a step was OUTCOME_BLOCKED, or not one of progress (`idle`). */
typedef struct {
  bool event;       /* for what any thread may provide: a signal, a post, an arrival */
  bool gone;        /* for a thread that has ended and left no trace */
  uint64_t holders; /* for threads: owners of a lock, one that is joined, … */
} Wait;

/* An edge that a step has executed. */
typedef struct {
  EdgeId edge;
  bool visible; /* the step began with it */
  bool guessed; /* it was chosen by a value that is not known */
} TrailEdge;

typedef VEC(TrailEdge) Trail;

enum { FAILS_PERHAPS = 1, FAILS_SURELY = 2 };

typedef struct Machine {
  Facts *facts;
  const Program *p;
  MachineOptions options;
  State s;
  uint32_t t;  /* the thread that moves */
  EdgeId edge; /* that it executes */
  Str why;     /* OUTCOME_GIVE_UP */
  EdgeId race_edges[2];
  ObjectId race_object;
  /* choices of this step: what was answered, of how many */
  uint8_t chosen[MAX_CHOICES], ways[MAX_CHOICES];
  uint32_t choice_count, choice_given;
  bool guessed; /* this step chose by a value that is not known: perhaps wrongly */
  bool idle;    /* this step was a wake-up without a signal */
  bool cut;     /* some step was left out because of options.threads */
  bool crowded; /* it was given up because there are too many threads */
  bool several; /* weak atomics at several places, or fences: options.weak may help */
  bool vague;   /* some index was unknown, and options.split could help */
  Wait wait;    /* of this step */
  /* evaluation: values of expressions within one edge */
  AbsMemo memo;
  MemPlaces places;
  VEC(Cell) scratch;
  /* atomic locations seen so far, for the rules about weak orders */
  VEC(uint64_t) atomics;
  bool weak_seen;
  bool strange;        /* an evaluation met what cannot be over-approximated */
  Map failed;          /* edges of assertions to FAILS_… */
  VEC(EdgeId) failing; /* those of `failed` that this step has added, or made sure of */
  /* for a path that is gone once more, see path.h */
  bool keeps_trail;
  Trail trail; /* the edges of this step */
  EdgeId mark; /* not 0: entries of this step are marked with it in the place of edges */
} Machine;

void machine_init(Machine *m, Facts *facts, const MachineOptions *options);
void machine_free(Machine *m);
/* The state before the first step: the main thread at the beginning of its program. */
Outcome machine_start(Machine *m);

/* Moves a thread. The choices given in m->chosen[0..choice_given) are taken; afterwards
 * choice_count says how many were asked for, and ways how many answers each had. */
Outcome machine_step(Machine *m, uint32_t thread);

/* What the thread does next commutes with everything that others can do before it. */
bool machine_is_local(Machine *m, uint32_t thread);
/* An answer from 0 to n - 1; -1 when the step has chosen enough (give OUTCOME_PAUSE back
 * before anything has happened). */
int machine_choose(Machine *m, unsigned n);
/* The same where each of the answers is possible in the program's own states. */
int machine_choose_freely(Machine *m, unsigned n);
Outcome il_block(Machine *m, Wait wait);
Outcome il_give_up(Machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- eval.c: expressions in the frame of the moving thread ---- */
AbsValue il_eval(Machine *m, ExprId e);
/* Forgets the values of expressions: locals have changed. */
static inline void il_eval_forget(Machine *m) {
  m->memo.stamp++;
}
/* AbsStore.equal */
int il_equal(const void *machine, AbsValue a, AbsValue b);
ThreadFrame *il_frame_top(Machine *m);
void il_local_set(Machine *m, LocalId local, AbsValue v);
/* The instance of an object as the moving thread's top frame sees it; made if need be. */
uint32_t il_instance_of(Machine *m, ObjectId object);
uint32_t il_instance_new(Machine *m, ObjectId object, uint32_t size, Default contents);

/* ---- split.c ---- */
/* If the value of an address is not known exactly for want of an index: chooses one. Other
 * than OUTCOME_NEXT: give it back before anything has happened. */
Outcome il_split(Machine *m, ExprId address, AbsValue *value);
/* The same for what can have few values: a condition that is kept, a remainder. */
Outcome il_split_few(Machine *m, ExprId expr, AbsValue *value);

/* ---- memory.c ---- */
/* Where the address may point, into m->places. OUTCOME_NEXT: at least one place. */
Outcome il_memory_resolve(Machine *m, AbsValue address, ExprId expr);
/* One access to all the places found: checked against what happens-before leaves open.
 * `size` SIZE_UNKNOWN: up to the end of the object. */
Outcome il_memory_access(Machine *m, uint32_t size, uint32_t kind);
AbsValue il_memory_read(Machine *m, uint32_t size);
void il_memory_write(Machine *m, uint32_t size, AbsValue value);
/* `size` bytes (SIZE_UNKNOWN: to the end) of the places become TOP. */
void il_memory_forget(Machine *m, uint32_t size);
/* All in one: resolve, access, read or write. */
Outcome il_memory_load(Machine *m, ExprId address, uint32_t size, uint32_t kind,
                       AbsValue *ret_value);
Outcome il_memory_store(Machine *m, ExprId address, uint32_t size, uint32_t kind,
                        AbsValue value);
Outcome il_memory_copy(Machine *m, ExprId to, ExprId from, AbsValue size);
Outcome il_memory_fill(Machine *m, ExprId to, AbsValue byte, AbsValue size);
/* The object's life ends: counts as a write to all of it. */
Outcome il_memory_end(Machine *m, uint32_t instance);
AbsValue il_memory_peek(Machine *m, uint32_t instance, uint32_t offset, uint32_t size);

/* ---- happens.c ---- */
/* Checks and records an access of the moving thread. */
Outcome il_happens_access(Machine *m, uint32_t instance, uint32_t from, uint32_t to,
                          uint32_t kind);
void il_happens_release(State *s, uint32_t thread, uint32_t sync, bool merge);
void il_happens_clear(State *s, uint32_t sync);
void il_happens_acquire(State *s, uint32_t thread, uint32_t sync);
/* `to` learns everything that `from` knows. */
void il_happens_tell(State *s, uint32_t from, uint32_t to);
/* The thread is gone: it knows nothing any more. */
void il_happens_forget_thread(State *s, uint32_t thread);

/* ---- sync.c ---- */
/* Synchronisation, and what threads do to others, by the rows of model/lower.h. */
Outcome il_sync_step(Machine *m, const Edge *e);
/* The function of a once flag returns. */
Outcome il_once_done(Machine *m, const ThreadFrame *f);
/* pthread_mutex_consistent: what a robust mutex guards is in order again. */
Outcome il_sync_repair(Machine *m, ExprId lock);
/* The one atomic section: begins, or ends. */
Outcome il_section_step(Machine *m, bool begins);
/* The index of a synchronisation object; -1 after giving up: there are too many. */
int il_sync_at(Machine *m, uint32_t instance, uint32_t offset, unsigned kind);
Outcome il_atomic_step(Machine *m, const Edge *e);
/* Counts the atomic locations that matter, up to two; `offset` may be MARK_GONE. */
void il_atomic_note(Machine *m, uint32_t instance, uint32_t offset);
/* What a read-modify-write makes of the old value. */
AbsValue il_atomic_combine(Machine *m, const Edge *e, AbsValue old, AbsValue value);
/* Writes a result of the call to the edge's dst. */
Outcome il_sync_result(Machine *m, const Edge *e, SyncOutcome kind);

/* ---- weak.c ---- */
/* Weaker orders than sequential consistency are followed. */
static inline bool machine_is_weak(const Machine *m) {
  return m->options.weak;
}
Outcome il_weak_step(Machine *m, const Edge *e, MemPlace place);
Outcome il_weak_fence(Machine *m, const Edge *e);
/* Drops messages that nobody can read any more. */
void il_weak_tidy(State *s);
/* A plain write, which comes after all accesses before it and before all others. */
void il_weak_overwritten(State *s, uint32_t instance, uint64_t from, uint64_t to);

/* ---- threads.c ---- */
Outcome il_thread_create(Machine *m, const Edge *e);
Outcome il_thread_end(Machine *m, AbsValue result);
/* Writes what a joined thread has ended with to where the edge says. */
Outcome il_thread_result(Machine *m, const Edge *e, AbsValue result);
/* The thread was joined, detached, or is to be cancelled. */
void il_thread_change(Machine *m, uint32_t slot, Ghost ghost);

/* ---- cancel.c ---- */
/* The thread ends with this result, after its clean-up handlers. */
Outcome il_thread_exit(Machine *m, AbsValue result);
/* A call about clean-up handlers, or a setjmp that serves one: true, with its outcome. */
bool il_cleanup_call(Machine *m, const Edge *e, FuncId callee, Outcome *ret_outcome);
/* At a point of cancellation: the thread is to end here. */
static inline bool il_is_cancelled(const Machine *m) {
  const AbsThread *t = &m->s.threads[m->t];
  return t->cancelled && !t->ending;
}
/* A point by itself, not that of a library function, whose call follows from the same place of the
 * source: whether such a function comes to one is often its own affair. */
bool il_is_testcancel(const Machine *m, const Edge *e);
Outcome il_cancel_take_effect(Machine *m);

/* ---- call.c ---- */
Outcome il_call_step(Machine *m, const Edge *e);
Outcome il_call_enter(Machine *m, uint32_t thread, FuncId function, const AbsValue *args,
                      uint32_t arg_count, FrameKind kind, EdgeId call);
/* The stack objects of a frame end. */
Outcome il_call_end_objects(Machine *m, uint32_t frame);
/* Leaves the top frame of the moving thread. */
Outcome il_call_return(Machine *m, AbsValue value);
/* ---- library.c ---- */
Outcome il_library_call(Machine *m, const Edge *e, FuncId callee);

#endif
