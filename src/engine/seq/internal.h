/* What the files of the unwinder share. See seq.h. */
#ifndef HEDDLE_ENGINE_SEQ_INTERNAL_H
#define HEDDLE_ENGINE_SEQ_INTERNAL_H

#include "analysis/liveness.h"
#include "base/arena.h"
#include "engine/seq/seq.h"

/* ---- memory.c: contents of instances, copied when they are changed ---- */

/* `memory` may be NULL: everything is as it was in the beginning. Instances that were never
 * written are not in it. */
SeqMemory *seq_memory_share(SeqMemory *memory);
void seq_memory_drop(SeqMemory *memory); /* accepts NULL */
/* `size` bytes as one term, the byte at the lowest address lowest. */
Term seq_memory_read(SeqProgram *seq, const SeqMemory *memory, uint32_t instance,
                     uint64_t offset, uint32_t size);
/* Replaces *memory, which the caller has a share of, by one with the bytes changed. */
void seq_memory_write(SeqProgram *seq, SeqMemory **memory, uint32_t instance,
                      uint64_t offset, Term value);
/* Calls `differs` with everything that is in `now` and was not in `then`. */
typedef void SeqDiffers(void *user, uint32_t instance, uint64_t offset, Term value);
void seq_memory_compare(SeqProgram *seq, const SeqMemory *now, const SeqMemory *then,
                        SeqDiffers *differs, void *user);
/* What is in `a` if `condition` holds, and in `b` otherwise. Takes both shares. */
SeqMemory *seq_memory_merge(SeqProgram *seq, Term condition, SeqMemory *a, SeqMemory *b);

/* ---- the state of a thread between two edges ---- */

typedef struct {
  Term value; /* 64 bits */
  bool in_registers;
  uint32_t at; /* in its area */
} SeqVararg;

/* The variable arguments of a call. */
typedef struct {
  uint32_t general, floats; /* where they begin in the area of registers */
  uint32_t overflow;        /* bytes of what has no register */
  VEC(SeqVararg) args;
} SeqVarargs;

typedef struct Frame Frame;
struct Frame {
  Frame *up;
  FuncId function;
  const Function *f;
  Map objects; /* ObjectId → instance + 1: what lives on the stack of this activation */
  Term result; /* what it returns, merged over its returns */
  bool atomic; /* began an atomic section of its own */
  const SeqVarargs *varargs; /* NULL: none, or they are not followed */
};

typedef struct {
  Term guard;   /* 0: there is no such state */
  Term *locals; /* of the frame's function; 0: not set */
  SeqMemory *memory;
  uint32_t sections; /* atomic sections it is in */
  bool
      alone; /* it is main's, before the first thread: shared memory is in `memory`, too */
} State;

/* A loop of a function with what is nested in it, or one node. */
typedef struct Part Part;
struct Part {
  NodeId node; /* of a loop: its head */
  bool is_loop;
  VEC(Part) parts; /* of a loop: what follows the head */
};
typedef VEC(Part) Parts;

typedef struct {
  SeqProgram *seq;
  const SeqRequest *request;
  const Program *program;
  Terms *terms;
  Arena *arena;
  Map orders; /* FuncId → Parts *: see order.c */
  Liveness *liveness;
  /* the thread that is unwound */
  uint32_t thread;
  EdgeId edge; /* the last step that was begun */
  Frame *frame;
  uint32_t depth;
  bool started; /* some way of main is no longer alone: SeqProgram.start is known */
  bool glue;    /* the next event goes on with the step of the one before */
  uint32_t event_count, calls;
  uint32_t bounded_events; /* of those, of creations that `copies` bounds */
  uint32_t create_edges;
  Map thread_locals; /* of this thread: ObjectId → instance + 1 */
  Map foreign;       /* variables that may be addresses inside the library */
  uint8_t *
      stable; /* by ObjectId, or NULL: 1 nobody writes it, by the last unwinding; 2 but somebody
                      does, by this one */
  uint32_t within;   /* sections that are one operation of several events */
  bool normal_locks; /* every mutex is of the normal type, none is robust */
  bool weak;         /* some atomic access is not sequentially consistent */
  bool cancels;      /* threads are cancelled somewhere */
  bool over;         /* no time or no room: nothing more is unwound */
} Unwinder;

static inline bool guard_is_false(const Unwinder *u, Term guard) {
  return !guard || term_is_false(u->terms, guard);
}

/* ---- unwind.c ---- */
/* The thread gives up: what is there so far stays. */
void seq_unwind_give_up(Unwinder *u, const char *why);
/* Runs the function's body on the state, which it takes and replaces by what comes back: the guard
 * is 0 if nothing does. *ret_result: what it returns, 0 if nothing. */
void seq_unwind_function(Unwinder *u, FuncId function, const Term *args,
                         uint32_t arg_count, State *state, Term *ret_result);
/* … with variable arguments. */
void seq_unwind_variadic(Unwinder *u, FuncId function, const Term *args,
                         uint32_t arg_count, const SeqVarargs *varargs, State *state,
                         Term *ret_result);
/* The program can do something that is not in the events. */
void seq_unwind_partial(Unwinder *u, const char *why);
/* Only if `whole`: nothing is known of what the thread does if `lost` holds. */
void seq_unwind_lose(Unwinder *u, const State *s, Term lost);
/* An operation of several events, which are one step. */
void seq_unwind_begin_step(Unwinder *u, State *s);
void seq_unwind_end_step(Unwinder *u, State *s);
/* Somebody writes the object, or ends its life. */
void seq_unwind_written(Unwinder *u, const State *s, ObjectId object);
SeqThread *seq_unwind_thread(Unwinder *u);
/* Adds an event with the state's guard. */
SeqEvent *seq_unwind_event(Unwinder *u, const State *s, SeqKind kind, EdgeId edge);
void seq_unwind_cut(Unwinder *u, const State *s, uint64_t loop);
uint32_t seq_unwind_new_instance(Unwinder *u, ObjectId object, uint64_t size,
                                 bool zeroed);
void seq_state_copy(Unwinder *u, const State *from, State *ret_to);
void seq_state_drop(State *s);
void seq_state_merge(Unwinder *u, State *into, State *other); /* takes other */

/* The object belongs to the library, or to code that is not there. */
bool seq_is_wild(const Program *program, ObjectId object);

/* ---- alone.c ---- */
/* Main is no longer alone on this way: shared memory is events from here on. */
void seq_unwind_leave_alone(Unwinder *u, State *s);
/* `conditions` are those of the edges from `first` on, which leave a node, and are not all decided.
 * What must hold for anything to happen becomes a fact, and no condition any more. */
void seq_assume_alone(Unwinder *u, const State *s, EdgeId first, Term *conditions,
                      uint32_t count);

/* ---- order.c: the nodes of a function, loops nested ---- */
const Parts *seq_order(Unwinder *u, FuncId function);

/* ---- value.c ---- */
Term seq_value(Unwinder *u, State *s, ExprId expr);
Term seq_fresh(Unwinder *u, uint32_t bits, const char *name); /* and says `vague` */
Term seq_foreign(Unwinder *u, uint32_t bits);      /* … that the library gave */
uint32_t seq_object(Unwinder *u, ObjectId object); /* its instance here */

/* ---- access.c ---- */
Term seq_access_load(Unwinder *u, State *s, EdgeId edge, ExprId pointer, Term address,
                     uint32_t size);
void seq_access_store(Unwinder *u, State *s, EdgeId edge, ExprId pointer, Term address,
                      Term value, uint32_t size);
void seq_access_update(Unwinder *u, State *s, EdgeId edge);
void seq_access_copy(Unwinder *u, State *s, EdgeId edge);
void seq_access_fill(Unwinder *u, State *s, EdgeId edge);

/* ---- step.c ---- */
/* A new value from outside. */
Term seq_step_input(Unwinder *u, const State *s, EdgeId edge, uint32_t bits);
/* Takes the edge; the state's guard is 0 or false afterwards where nothing goes on. */
void seq_step_edge(Unwinder *u, State *s, EdgeId edge);
void seq_step_set(Unwinder *u, State *s, LocalId local, Term value);

/* ---- sync.c ---- */
void seq_sync(Unwinder *u, State *s, EdgeId edge);

/* ---- touch.c: what an edge uses of memory without a value that is followed ---- */
void seq_touch_operands(Unwinder *u, State *s, EdgeId edge);
void seq_touch_call(Unwinder *u, State *s, EdgeId edge, FuncId function);
void seq_touch_at(Unwinder *u, State *s, EdgeId edge, Term address, bool writes);

/* ---- varargs.c ---- */
bool seq_varargs_capture(Unwinder *u, State *s, const Edge *call, const Function *f,
                         SeqVarargs *ret);
void seq_varargs(Unwinder *u, State *s, EdgeId edge); /* OPS_VA */
/* ---- puns.c ---- */
/* An address may be read from memory as a number. */
bool seq_has_puns(const Program *program, const PointsTo *pointsto);

/* ---- library.c ---- */
void seq_library(Unwinder *u, State *s, EdgeId edge, FuncId function);

#endif
