/* The operations of the model: one per edge of a control flow automaton.
 *
 * Operand columns say what Edge.a, b and c hold for each operation. `dst` receives the result
 * when it is not 0. All operand expressions are evaluated before the operation takes effect,
 * and one edge is one atomic step of its thread (LOAD and STORE of plain data too: the engines
 * that care about torn accesses look at `size`). */
#ifndef HEDDLE_MODEL_OP_H
#define HEDDLE_MODEL_OP_H

#include <stdint.h>

/* OP(NAME, text, a, b, c): the operands, "" when unused. */
#define OPS(OP)                                                                          \
  OP(NOP, "nop", "", "", "")                                                             \
  /* control and locals */                                                               \
  OP(ASSUME, "assume", "condition", "", "") /* the edge is taken only if it holds */     \
  OP(ASSIGN, "assign", "value", "", "")                                                  \
  OP(HAVOC, "havoc", "", "", "")            /* dst becomes any value */                  \
  OP(CALL, "call", "callee", "", "")        /* args: Program.args */                     \
  OP(RETURN, "return", "value", "", "")     /* a is 0 in a void function; no successor */ \
  OP(GOTO, "goto", "address", "", "")       /* computed goto: one edge per possible label */ \
  OP(UNREACHABLE, "unreachable", "", "", "") /* undefined behaviour or the end of a noreturn call */ \
  /* memory */                                                                           \
  OP(LOAD, "load", "address", "", "")                                                    \
  OP(STORE, "store", "address", "value", "")                                             \
  OP(RMW, "rmw", "address", "value", "")    /* aux: RmwKind; dst: the old value */       \
  OP(CMPXCHG, "cmpxchg", "address", "expected", "desired") /* dst: old value, dst2: 1 if stored */ \
  OP(FENCE, "fence", "", "", "")                                                         \
  OP(COPY, "copy", "to", "from", "bytes")   /* memmove when EDGE_OVERLAP, else memcpy */ \
  OP(FILL, "fill", "to", "byte", "bytes")                                                \
  OP(ALLOCA, "alloca", "bytes", "", "")     /* aux: ObjectId; dst: the address */        \
  OP(STACK_SAVE, "stack_save", "", "", "")                                               \
  OP(STACK_RESTORE, "stack_restore", "token", "", "")                                    \
  OP(VA_START, "va_start", "list", "", "")                                               \
  OP(VA_COPY, "va_copy", "to", "from", "")                                               \
  OP(VA_END, "va_end", "list", "", "")                                                   \
  /* threads */                                                                          \
  OP(CREATE, "create", "id address", "function", "argument")                             \
  OP(JOIN, "join", "id", "result address", "deadline") /* Edge.attempt; size: bytes of the result */ \
  OP(DETACH, "detach", "id", "", "")                                                     \
  OP(EXIT_THREAD, "exit_thread", "value", "", "") /* no successor */                     \
  OP(SELF, "self", "", "", "")                                                           \
  OP(CANCEL, "cancel", "id", "", "")                                                     \
  OP(CANCEL_POINT, "cancel_point", "", "", "")                                           \
  /* locks: Edge.lock, Edge.mode, Edge.attempt */                                        \
  OP(LOCK_INIT, "lock_init", "lock", "kind", "") /* b: address of the attribute or kind value */ \
  OP(LOCK, "lock", "lock", "deadline", "")                                               \
  OP(UNLOCK, "unlock", "lock", "", "")                                                   \
  OP(LOCK_DESTROY, "lock_destroy", "lock", "", "")                                       \
  /* condition variables */                                                              \
  OP(COND_INIT, "cond_init", "cond", "", "")                                             \
  OP(WAIT, "wait", "cond", "lock", "deadline") /* attempt: ATTEMPT_BLOCK or _TIMED */    \
  OP(SIGNAL, "signal", "cond", "", "")                                                   \
  OP(BROADCAST, "broadcast", "cond", "", "")                                             \
  OP(COND_DESTROY, "cond_destroy", "cond", "", "")                                       \
  /* barriers, semaphores, once */                                                       \
  OP(BARRIER_INIT, "barrier_init", "barrier", "count", "")                               \
  OP(BARRIER_WAIT, "barrier_wait", "barrier", "", "")                                    \
  OP(BARRIER_DESTROY, "barrier_destroy", "barrier", "", "")                              \
  OP(SEM_INIT, "sem_init", "semaphore", "value", "")                                     \
  OP(SEM_WAIT, "sem_wait", "semaphore", "deadline", "") /* Edge.attempt */               \
  OP(SEM_POST, "sem_post", "semaphore", "", "")                                          \
  OP(SEM_VALUE, "sem_value", "semaphore", "result address", "")                          \
  OP(SEM_DESTROY, "sem_destroy", "semaphore", "", "")                                    \
  OP(ONCE, "once", "flag", "function", "")                                               \
  /* the user's own synchronisation: an ACQUIRE happens after every RELEASE of the same object \
     that was executed before it; neither ever blocks */                                 \
  OP(RELEASE, "release", "object", "", "")                                               \
  OP(ACQUIRE, "acquire", "object", "", "")                                               \
  /* specification */                                                                    \
  OP(ATOMIC_BEGIN, "atomic_begin", "", "", "")                                           \
  OP(ATOMIC_END, "atomic_end", "", "", "")                                               \
  OP(ASSERT, "assert", "condition", "", "")                                              \
  OP(EXIT, "exit", "status", "", "")        /* ends the program; EDGE_ABORT: by abort */

typedef enum {
#define OP(name, text, a, b, c) OP_##name,
  OPS(OP)
#undef OP
      OP_COUNT
} OpKind;

const char *op_text(OpKind op);
/* What operand `i` (0..2 for a..c) means, "" when the operation does not use it. */
const char *op_operand(OpKind op, int i);

/* Memory orders of C11, weakest first; plain data is ORDER_NONE. */
typedef enum {
  ORDER_NONE,
  ORDER_RELAXED,
  ORDER_ACQUIRE,
  ORDER_RELEASE,
  ORDER_ACQ_REL,
  ORDER_SEQ_CST,
} MemoryOrder;

typedef enum {
  RMW_NONE,
  RMW_XCHG, RMW_ADD, RMW_SUB, RMW_AND, RMW_NAND, RMW_OR, RMW_XOR,
  RMW_SMAX, RMW_SMIN, RMW_UMAX, RMW_UMIN,
  RMW_FADD, RMW_FSUB, RMW_FMAX, RMW_FMIN,
  RMW_COUNT
} RmwKind;

typedef enum {
  LOCK_NONE,
  LOCK_MUTEX, /* its type (normal, recursive, …) is in the object or its initialiser */
  LOCK_RECURSIVE, /* always recursive: flockfile */
  LOCK_SPIN,
  LOCK_RW,
  LOCK_KIND_COUNT
} LockKind;

typedef enum { MODE_EXCLUSIVE, MODE_SHARED, MODE_ANY } LockMode; /* ANY: rwlock unlock */

typedef enum { ATTEMPT_BLOCK, ATTEMPT_TRY, ATTEMPT_TIMED } Attempt;

const char *order_text(MemoryOrder order);
const char *rmw_text(RmwKind kind);
const char *lock_kind_text(LockKind kind);

#endif
