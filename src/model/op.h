/* The operations of the model: one per edge of a control flow automaton.
 *
 * Operand columns say what Edge.a, b and c hold for each operation. `dst` receives the result
 * when it is not 0. All operand expressions are evaluated before the operation takes effect,
 * and one edge is one atomic step of its thread (LOAD and STORE of plain data too: the engines
 * that care about torn accesses look at `size`). */
#ifndef HEDDLE_MODEL_OP_H
#define HEDDLE_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

/* OP(NAME, text, a, b, c, accesses, traits)
 *
 * a, b, c    what the operands are, "" when unused
 * accesses   which operands are addresses of memory that is touched, and how (op_access.h):
 *              READS, WRITES         plainly, by the program or by the library for it
 *              LOADS, STORES         atomically if the edge has a memory order
 *              UPDATES               reads and writes as one, always atomically
 *              USES                  an object of synchronisation, under its own rules: two
 *                                    uses never race
 *              RENEWS                an object of synchronisation is made or destroyed: a
 *                                    plain write, which nobody may use meanwhile
 *            What a CALL touches is said by its callee (effect.h), not here.
 * traits     OpTrait: all else that is true of every edge with this operation
 *
 * This table is the only place that says so. The analyses, the engines and the checker of
 * proofs read it; what they conclude from it is their own. */
#define OPS(OP)                                                                            \
  OP(NOP, "nop", "", "", "", , OP_INNER)                                                   \
  /* control and locals */                                                                 \
  OP(ASSUME, "assume", "condition", "", "", , OP_INNER) /* taken only if it holds */       \
  OP(ASSIGN, "assign", "value", "", "", , OP_INNER | OP_VALUE)                             \
  OP(HAVOC, "havoc", "", "", "", , OP_INNER | OP_VALUE)     /* dst becomes any value */    \
  OP(CALL, "call", "callee", "", "", , OP_VALUE | OP_CALLS) /* args: Program.args */       \
  OP(RETURN, "return", "value", "", "", ,                                                  \
     OP_LAST) /* a is 0 in a void function; no successor */                                \
  OP(GOTO, "goto", "address", "", "", ,                                                    \
     OP_INNER) /* computed goto: one edge per possible label */                            \
  OP(UNREACHABLE, "unreachable", "", "", "", ,                                             \
     OP_LAST | OP_STOPS) /* undefined behaviour or the end of a noreturn call */           \
  /* memory */                                                                             \
  OP(LOAD, "load", "address", "", "", LOADS(A, EDGE), OP_VALUE | OP_ORDERED)               \
  OP(STORE, "store", "address", "value", "", STORES(A, EDGE), OP_ORDERED)                  \
  OP(RMW, "rmw", "address", "value", "", UPDATES(A, EDGE),                                 \
     OP_VALUE | OP_ORDERED) /* aux: RmwKind; dst: the old value */                         \
  OP(CMPXCHG, "cmpxchg", "address", "expected", "desired", UPDATES(A, EDGE),               \
     OP_VALUE | OP_ORDERED) /* dst: old value, dst2: 1 if stored */                        \
  OP(FENCE, "fence", "", "", "", , OP_ORDERED)                                             \
  OP(COPY, "copy", "to", "from", "bytes", WRITES(A, C) READS(B, C),                        \
     OP_INNER) /* memmove when EDGE_OVERLAP, else memcpy */                                \
  OP(FILL, "fill", "to", "byte", "bytes", WRITES(A, C), OP_INNER)                          \
  OP(ALLOCA, "alloca", "bytes", "", "", ,                                                  \
     OP_INNER | OP_VALUE) /* aux: ObjectId; dst: the address */                            \
  OP(STACK_SAVE, "stack_save", "", "", "", , OP_INNER | OP_VALUE)                          \
  OP(STACK_RESTORE, "stack_restore", "token", "", "", , OP_INNER)                          \
  OP(VA_START, "va_start", "list", "", "", WRITES(A, VA_LIST), OP_INNER)                   \
  OP(VA_COPY, "va_copy", "to", "from", "", WRITES(A, VA_LIST) READS(B, VA_LIST),           \
     OP_INNER)                                                                             \
  OP(VA_END, "va_end", "list", "", "", WRITES(A, VA_LIST), OP_INNER)                       \
  /* threads */                                                                            \
  OP(CREATE, "create", "id address", "function", "argument", WRITES(A, ID),                \
     OP_RESULT | OP_RELEASES | OP_CALLS | OP_ON(THREAD))                                   \
  OP(JOIN, "join", "id", "result address", "deadline",                                     \
     WRITES(B, EDGE_OR_WORD) READS(C, TIME),                                               \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_CANCELLED |                                  \
         OP_ON(THREAD)) /* Edge.attempt; size: bytes of the result */                      \
  OP(DETACH, "detach", "id", "", "", , OP_RESULT | OP_ON(THREAD))                          \
  OP(EXIT_THREAD, "exit_thread", "value", "", "", ,                                        \
     OP_LAST | OP_RELEASES | OP_STOPS | OP_ON(THREAD)) /* no successor */                  \
  OP(SELF, "self", "", "", "", , OP_INNER | OP_VALUE)                                      \
  OP(CANCEL, "cancel", "id", "", "", , OP_RESULT | OP_RELEASES | OP_ON(THREAD))            \
  OP(CANCEL_POINT, "cancel_point", "", "", "", ,                                           \
     OP_RESULT | OP_CANCELLED | OP_ON(THREAD))                                             \
  /* locks: Edge.lock, Edge.mode, Edge.attempt */                                          \
  OP(LOCK_INIT, "lock_init", "lock", "kind", "", RENEWS(A) READS(B, ATTRIBUTE),            \
     OP_RESULT | OP_INITS | OP_ON(LOCK)) /* b: address of the attribute or kind value */   \
  OP(LOCK, "lock", "lock", "deadline", "", USES(A) READS(B, TIME),                         \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_ON(LOCK))                                    \
  OP(UNLOCK, "unlock", "lock", "", "", USES(A), OP_RESULT | OP_RELEASES | OP_ON(LOCK))     \
  OP(LOCK_DESTROY, "lock_destroy", "lock", "", "", RENEWS(A),                              \
     OP_RESULT | OP_DESTROYS | OP_ON(LOCK))                                                \
  /* condition variables */                                                                \
  OP(COND_INIT, "cond_init", "cond", "", "", RENEWS(A),                                    \
     OP_RESULT | OP_INITS | OP_ON(COND))                                                   \
  OP(WAIT, "wait", "cond", "lock", "deadline", USES(A) USES(B) READS(C, TIME),             \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_RELEASES | OP_CANCELLED |                    \
         OP_ON(COND)) /* attempt: ATTEMPT_BLOCK or _TIMED */                               \
  OP(SIGNAL, "signal", "cond", "", "", USES(A), OP_RESULT | OP_ON(COND))                   \
  OP(BROADCAST, "broadcast", "cond", "", "", USES(A), OP_RESULT | OP_ON(COND))             \
  OP(COND_DESTROY, "cond_destroy", "cond", "", "", RENEWS(A),                              \
     OP_RESULT | OP_DESTROYS | OP_ON(COND))                                                \
  /* barriers, semaphores, once */                                                         \
  OP(BARRIER_INIT, "barrier_init", "barrier", "count", "", RENEWS(A),                      \
     OP_RESULT | OP_INITS | OP_ON(BARRIER))                                                \
  OP(BARRIER_WAIT, "barrier_wait", "barrier", "", "", USES(A),                             \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_RELEASES | OP_ON(BARRIER))                   \
  OP(BARRIER_DESTROY, "barrier_destroy", "barrier", "", "", RENEWS(A),                     \
     OP_RESULT | OP_DESTROYS | OP_ON(BARRIER))                                             \
  OP(SEM_INIT, "sem_init", "semaphore", "value", "", RENEWS(A),                            \
     OP_RESULT | OP_INITS | OP_ON(SEM))                                                    \
  OP(SEM_WAIT, "sem_wait", "semaphore", "deadline", "", USES(A) READS(B, TIME),            \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_CANCELLED | OP_ON(SEM)) /* Edge.attempt */   \
  OP(SEM_POST, "sem_post", "semaphore", "", "", USES(A),                                   \
     OP_RESULT | OP_RELEASES | OP_ON(SEM))                                                 \
  OP(SEM_VALUE, "sem_value", "semaphore", "result address", "", USES(A) WRITES(B, INT),    \
     OP_RESULT | OP_ON(SEM))                                                               \
  OP(SEM_DESTROY, "sem_destroy", "semaphore", "", "", RENEWS(A),                           \
     OP_RESULT | OP_DESTROYS | OP_ON(SEM))                                                 \
  OP(ONCE, "once", "flag", "function", "", USES(A),                                        \
     OP_RESULT | OP_BLOCKS | OP_ACQUIRES | OP_RELEASES | OP_CALLS | OP_ON(ONCE))           \
  /* the user's own synchronisation: an ACQUIRE happens after every RELEASE of the same  \
     object that was executed before it; neither ever blocks */ \
  OP(RELEASE, "release", "object", "", "", , OP_RESULT | OP_RELEASES | OP_ON(USER))        \
  OP(ACQUIRE, "acquire", "object", "", "", , OP_RESULT | OP_ACQUIRES | OP_ON(USER))        \
  /* specification */                                                                      \
  OP(ATOMIC_BEGIN, "atomic_begin", "", "", "", , OP_ACQUIRES | OP_ON(SECTION))             \
  OP(ATOMIC_END, "atomic_end", "", "", "", , OP_RELEASES | OP_ON(SECTION))                 \
  OP(ASSERT, "assert", "condition", "", "", , OP_INNER)                                    \
  OP(EXIT, "exit", "status", "", "", ,                                                     \
     OP_LAST | OP_STOPS) /* ends the program; EDGE_ABORT: by abort */

typedef enum {
#define OP(name, ...) OP_##name,
  OPS(OP)
#undef OP
} OpKind;

/* Operations that are most often treated alike, for the labels of a switch: `case OPS_VA:`
 * stands for all of them, and OPS_SEQUENTIAL, OPS_THREAD and OPS_SYNC together for all there
 * are. A switch over operations has no `default:`, so that the compiler names every place
 * where somebody must decide what a new operation means. */
// clang-format off
#define OPS_MOVE OP_NOP: case OP_ASSUME: case OP_GOTO
#define OPS_SET OP_ASSIGN: case OP_HAVOC
#define OPS_ACCESS OP_LOAD: case OP_STORE: case OP_RMW: case OP_CMPXCHG
#define OPS_BULK OP_COPY: case OP_FILL
#define OPS_STACK OP_ALLOCA: case OP_STACK_SAVE: case OP_STACK_RESTORE
#define OPS_VA OP_VA_START: case OP_VA_COPY: case OP_VA_END
#define OPS_CONTROL OPS_MOVE: case OPS_SET: case OP_CALL: case OP_RETURN: \
    case OP_UNREACHABLE
#define OPS_MEMORY OPS_ACCESS: case OP_FENCE: case OPS_BULK: case OPS_STACK: case OPS_VA
#define OPS_SEQUENTIAL OPS_CONTROL: case OPS_MEMORY: case OP_ASSERT: case OP_EXIT
#define OPS_CANCEL OP_CANCEL: case OP_CANCEL_POINT
#define OPS_THREAD OP_CREATE: case OP_JOIN: case OP_DETACH: \
    case OP_EXIT_THREAD: case OP_SELF: case OPS_CANCEL
#define OPS_LOCK OP_LOCK_INIT: case OP_LOCK: case OP_UNLOCK: case OP_LOCK_DESTROY
#define OPS_WAKE OP_SIGNAL: case OP_BROADCAST
#define OPS_COND OP_COND_INIT: case OP_WAIT: case OPS_WAKE: case OP_COND_DESTROY
#define OPS_BARRIER OP_BARRIER_INIT: case OP_BARRIER_WAIT: case OP_BARRIER_DESTROY
#define OPS_SEM OP_SEM_INIT: case OP_SEM_WAIT: case OP_SEM_POST: \
    case OP_SEM_VALUE: case OP_SEM_DESTROY
#define OPS_USER OP_RELEASE: case OP_ACQUIRE
#define OPS_SECTION OP_ATOMIC_BEGIN: case OP_ATOMIC_END
#define OPS_SYNC OPS_LOCK: case OPS_COND: case OPS_BARRIER: case OPS_SEM: \
    case OP_ONCE: case OPS_USER: case OPS_SECTION
// clang-format on

/* How many there are. No member of OpKind, so that a switch which names every operation is
 * complete, and the compiler finds the one that a new operation is missing in. */
enum {
#define OP(...) +1
  OP_COUNT = 0 OPS(OP)
#undef OP
};

/* What kind of object an operation synchronises on. */
typedef enum {
  SYNC_NONE,
  SYNC_LOCK,
  SYNC_COND,
  SYNC_BARRIER,
  SYNC_SEM,
  SYNC_ONCE,
  SYNC_THREAD,
  SYNC_USER,    /* of RELEASE and ACQUIRE */
  SYNC_SECTION, /* the one atomic section */
  SYNC_KIND_COUNT
} SyncKind;

typedef enum {
  OP_INNER = 1,      /* orders nothing and waits for nobody: a step of its thread alone */
  OP_VALUE = 2,      /* dst (and dst2) receive a value */
  OP_RESULT = 4,     /* dst receives what the call returns: Program.results */
  OP_LAST = 8,       /* has no successor */
  OP_STOPS = 16,     /* nothing of this thread follows in any frame */
  OP_CALLS = 32,     /* runs a function of the program, or starts a thread with it */
  OP_BLOCKS = 64,    /* may wait for other threads, unless it is only tried */
  OP_ACQUIRES = 128, /* sees what others did before they released the object */
  OP_RELEASES = 256, /* … and lets others see what this thread did */
  OP_ORDERED = 512,  /* acquires and releases as Edge.order says */
  OP_INITS = 1024,   /* the object begins its life */
  OP_DESTROYS = 2048,  /* … and ends it */
  OP_CANCELLED = 4096, /* a point of cancellation */
} OpTrait;

/* The object's kind stands in the bits above the traits. */
enum { OP_KIND_SHIFT = 16, OP_TRAITS = 0xffff };
#define OP_ON(kind) (SYNC_##kind << OP_KIND_SHIFT)

/* Every OpTrait of the operation. */
uint32_t op_traits(OpKind op);
static inline bool op_has(uint8_t op, OpTrait trait) {
  return op_traits((OpKind)op) & trait;
}
SyncKind op_sync_kind(OpKind op);

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
  RMW_XCHG,
  RMW_ADD,
  RMW_SUB,
  RMW_AND,
  RMW_NAND,
  RMW_OR,
  RMW_XOR,
  RMW_SMAX,
  RMW_SMIN,
  RMW_UMAX,
  RMW_UMIN,
  RMW_FADD,
  RMW_FSUB,
  RMW_FMAX,
  RMW_FMIN,
  RMW_COUNT
} RmwKind;

typedef enum {
  LOCK_NONE,
  LOCK_MUTEX, /* its type (normal, recursive, …) is in the object or its initialiser */
  LOCK_RECURSIVE, /* always recursive: flockfile */
  LOCK_SPIN,
  LOCK_RW,
  LOCK_WORD, /* an atomic word that serves as one (word.h): no operation has this kind */
  LOCK_KIND_COUNT
} LockKind;

typedef enum { MODE_EXCLUSIVE, MODE_SHARED, MODE_ANY } LockMode; /* ANY: rwlock unlock */

typedef enum { ATTEMPT_BLOCK, ATTEMPT_TRY, ATTEMPT_TIMED } Attempt;

static inline bool order_acquires(uint8_t order) {
  return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}
static inline bool order_releases(uint8_t order) {
  return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

const char *order_text(MemoryOrder order);
const char *rmw_text(RmwKind kind);
const char *lock_kind_text(LockKind kind);

#endif
