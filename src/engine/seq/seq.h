/* Unwinding: the threads of a program as bounded lists of guarded events.
 *
 * In: a program (or a slice of it), bounds for loops and recursion. Out: for each thread instance a
 * list of events in an order that agrees with every path of the thread: accesses to memory that
 * several threads use, synchronisation, assertions, creation and end. Each event has a guard, a
 * term that says whether the thread comes there. All that lies between events is local to its
 * thread and has become part of the terms: paths are merged where they meet, calls are inlined,
 * private memory is followed exactly, constants fold, so what a program does alone before its first
 * thread costs nothing.
 *
 * What a shared read receives is a new variable; which values it can have is decided by whoever
 * puts the events of all threads into an order (engine/kiss). So an unwound program has every
 * execution of the program within its bounds, for any schedule. What cannot be followed exactly
 * (floating point, library functions) becomes a new variable, too, and is noted as `vague`: then a
 * model may be no execution, which shows when it is followed.
 *
 * A place where a bound ended a path is a cut. */
#ifndef HEDDLE_ENGINE_SEQ_SEQ_H
#define HEDDLE_ENGINE_SEQ_SEQ_H

#include "analysis/flow.h"
#include "base/map.h"
#include "model/lower.h"
#include "solve/term.h"

typedef enum {
  SEQ_BEGIN,  /* the first event of every thread */
  SEQ_READ,   /* value := memory */
  SEQ_WRITE,  /* memory := stored */
  SEQ_UPDATE, /* value := memory; if `stores`: memory := stored; one step */
  SEQ_FREE,   /* the end of an object's life */
  SEQ_TOUCH, /* something at `address` (0: nobody knows where) is used, and no value followed */
  SEQ_SYNC,   /* one of its rows (model/lower.h) */
  SEQ_ASSERT, /* fails unless `value` */
  SEQ_EXIT,   /* the end of the program */
  SEQ_END,    /* the thread has ended, with `value` as its result */
} SeqKind;

/* A row of the lowering that an event can take, and the variable that says that it does. */
typedef struct {
  const LowerRow *row;
  Term chosen; /* true where there is no other */
} SeqRow;

typedef struct {
  uint8_t kind; /* SeqKind */
  bool glued;   /* one step with the event before it: nobody comes in between */
  bool atomic;  /* an access that never races with another atomic one */
  bool quiet;   /* an access that is no access of the program's own: it never races */
  bool writes;  /* TOUCH */
  bool inside;  /* in an atomic section of the program */
  EdgeId edge;
  Term guard;
  Term address;   /* accesses, SYNC: of memory, of the object; of threads: the id */
  ExprId pointer; /* the expression behind it, 0: none */
  Term lock;      /* WAIT: address of its lock */
  ExprId lock_pointer;
  uint32_t size; /* accesses: bytes; FREE: 0 */
  Term value, stored, stores;
  Term operand;                  /* SYNC: the value of operand b */
  uint32_t first_row, row_count; /* SeqProgram.rows */
  uint8_t phase;    /* SYNC: LOWER_START, or LOWER_WOKEN: goes on after a sleep */
  Term spurious;    /* WOKEN: it was woken by nobody; 0: that is left out */
  uint32_t created; /* CREATE: the new thread, else 0 */
  FuncId returns;   /* ONCE: its function has returned, else 0 */
} SeqEvent;

/* A value from outside (HAVOC), in the order in which the thread meets them. */
typedef struct {
  EdgeId edge;
  Term guard, value;
  uint32_t event; /* so many events of the thread come before */
} SeqInput;

/* A bound ended a path here. */
typedef struct {
  Term guard;
  uint32_t event; /* so many events of the thread come before */
  uint64_t loop;  /* seq_loop_key: which bound it was */
  EdgeId edge;    /* at which step, or 0 */
} SeqCut;

typedef struct {
  FuncId entry;
  uint32_t creator, creation; /* thread, and index of its CREATE event; main: 0, 0 */
  Term
      id; /* what CREATE stores: a number of its own, of which more is not known if `whole` */
  Term argument;
  Term result; /* what it returns: a variable, which its END sets */
  bool waits;  /* it is created and then left: that it begins is cut off */
  VEC(SeqEvent) events;
  VEC(SeqInput) inputs;
  VEC(SeqCut) cuts;
} SeqThread;

/* An object as the unwound program has it: each allocation, each activation its own. Addresses are
 * numbers: the instance's number in the upper half, the offset in the lower. */
typedef struct {
  ObjectId object; /* 0: the program has none for it (argv) */
  uint64_t size;   /* bytes; 0: unknown */
  bool shared;     /* accesses to it are events */
  bool zeroed;     /* has no initial bytes of its own */
  bool unset;      /* its contents may be anything in the beginning */
  bool stored;     /* written at once, by a thread that has it for itself */
  bool wild;       /* others write it, too: what is read is anything, each time */
  bool foreign;    /* nobody knows what is in it, or how far it goes (argv) */
  uint32_t thread; /* that made it */
} SeqInstance;

typedef struct SeqProgram SeqProgram;
typedef struct SeqMemory SeqMemory;

struct SeqProgram {
  const Program *program;
  const PointsTo *pointsto;
  Terms *terms;
  VEC(SeqThread) threads; /* 0 is main */
  VEC(SeqInstance) instances;
  Map globals;           /* ObjectId → instance + 1, of what there is one of */
  const uint8_t *shared; /* as asked for */
  VEC(SeqRow) rows;
  VEC(Term) facts;  /* hold in every execution that counts */
  SeqMemory *start; /* shared memory when the first event happens */
  bool vague;       /* some values are taken to be anything, though they are not */
  bool whole;       /* as asked for */
  bool
      idles; /* … and turns of loops that only wait were left out: whatever happens with them
                 happens without them, but for threads that wait for ever */
  Map bytes;           /* of unset instances: instance and offset → term */
  const char *partial; /* NULL, or what the program can do that is not in the events: no
                          proof. Only looked for if `whole`. */
  const char *gave_up; /* NULL, or why it is not the whole program within its bounds */
};

typedef struct {
  uint32_t turns;      /* of a loop whose end depends on what is not known */
  uint32_t sure_turns; /* … that surely goes on, and has events */
  uint32_t depth;      /* of the same function on the stack */
  uint32_t threads;    /* at most */
  uint32_t copies; /* of them that one edge creates; those behind wait. 0: any number */
  uint32_t events; /* of all threads together, at most */
  const Map
      *more; /* by seq_loop_key: so many times more than the bounds above, or NULL */
} SeqBounds;

/* What a run of the program finds outside. */
typedef struct {
  uint32_t arguments;       /* of main, beside its name */
  const char *const *words; /* the name, and what they are; NULL: the name is "program" */
  bool refusals; /* what is asked for (memory, a stream, a thread) may be refused */
  bool spurious; /* waits for conditions may end without a cause */
} SeqWorld;

typedef struct {
  const Program *program; /* or a slice of it */
  const PointsTo *pointsto;
  SeqWorld world;
  const uint8_t *shared; /* by ObjectId: several threads use it */
  const uint8_t
      *asked; /* by EdgeId: all that the edge touches is events; NULL: of none */
  SeqBounds bounds;
  /* For proofs: all that may happen is in the events, also what the interpreter never does: memory
   * that was never set has any contents, allocation fails, waits end for no reason, what is tried
   * fails. What still is not, is a cut, or makes the program `partial`. */
  bool whole;
  double deadline;
} SeqRequest;

SeqProgram *seq_unwind(const SeqRequest *request);
void seq_free(SeqProgram *seq); /* accepts NULL */

static inline uint64_t seq_loop_key(FuncId function, NodeId head) {
  return (uint64_t)function << 32 | head;
}

/* ---- places ---- */

enum { SEQ_BASE_SHIFT = 32 };
static inline uint64_t seq_base(uint32_t instance) {
  return ((uint64_t)instance + 1) << SEQ_BASE_SHIFT;
}
/* Threads that wait, and creations beyond what is allowed. */
static inline uint64_t seq_thread_key(void) {
  return seq_loop_key(0, 1);
}
/* The number that stands for a function's address, and for a thread. */
static inline uint64_t seq_function_address(FuncId function) {
  return UINT64_C(1) << 62 | (uint64_t)function << 8;
}
/* The function whose address it is, or 0. */
static inline FuncId seq_function_at(uint64_t address) {
  return address >> 62 == 1 ? (FuncId)((address & ~(UINT64_C(1) << 62)) >> 8) : 0;
}
static inline uint64_t seq_thread_id(uint32_t thread) {
  return (uint64_t)thread + 1;
}

/* Where an address may lead to: `instance` at `offset` if `guard` holds. */
typedef struct {
  uint32_t instance;
  uint64_t offset;
  Term guard; /* the address is just this one */
} SeqPlace;

typedef VEC(SeqPlace) SeqPlaces;

/* All places of `size` bytes that the address may be; `pointer` is the expression it is the value
 * of, for what points-to knows. False: too many, or nobody knows. */
bool seq_places(SeqProgram *seq, Term address, ExprId pointer, uint32_t size,
                SeqPlaces *ret_places);

/* The same; *ret_left: when the address is none of the places though it is no null pointer (only if
 * `whole`): then nothing is known of the access. */
bool seq_places_or(SeqProgram *seq, Term address, ExprId pointer, uint32_t size,
                   SeqPlaces *ret_places, Term *ret_left);

/* What the bytes of an instance are before the first event. */
Term seq_initial(SeqProgram *seq, uint32_t instance, uint64_t offset, uint32_t size);

/* … and when the first event happens: what main has done while it was alone. */
Term seq_start(SeqProgram *seq, uint32_t instance, uint64_t offset, uint32_t size);

/* Which objects several threads may use, by ObjectId; mem_free the result. */
uint8_t *seq_shared_objects(const Program *program, const Flow *flow);
/* … as far as it is known without doubt, for proofs: what is not made by a thread for itself. */
uint8_t *seq_shared_whole(const Program *program, const Flow *flow);

#endif
