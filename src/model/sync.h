/* What is true of objects of synchronisation for everybody: the kinds of mutexes, where
 * glibc's types keep what a static initialiser says, and what a call returns in which case.
 * How the operations change such objects is said in lower.h. */
#ifndef HEDDLE_MODEL_SYNC_H
#define HEDDLE_MODEL_SYNC_H

#include "model/program.h"

/* ---- glibc's types ---- */

enum {
  MUTEX_KIND_OFFSET = 16, /* pthread_mutex_t: its int __kind */
  MUTEX_KIND_BYTES = 4,
  SEM_VALUE_OFFSET = 0, /* sem_t: the first word is the value */
  SEM_VALUE_BYTES = 4,
  ONCE_BYTES = 4, /* pthread_once_t: an int, */
  ONCE_DONE = 2,  /* … which is this when the function has returned */
  SEM_VALUE_MOST = INT32_MAX,
};

typedef enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK } MutexType;

/* What a lock takes in memory. */
uint32_t lock_bytes(LockKind lock);

/* The type that the kind of a mutex or of its attribute means; adaptive ones are normal. */
MutexType mutex_type_of_kind(uint64_t kind);
/* A lock's type after an initialisation with this kind: only mutexes have a choice. */
MutexType lock_type_of_init(LockKind lock, uint64_t kind);
/* The attribute asks for a robust mutex (pthread_mutexattr_setrobust). */
bool mutex_kind_is_robust(uint64_t kind);
/* Some mutex of the program may be robust: it has something that makes attributes so. */
bool program_may_be_robust(const Program *program);
/* The library function repairs such a mutex for its owner. */
bool sync_repairs(const Program *program, FuncId function);
/* What the library function writes is an input: any bytes, given as numbers of INPUT_BYTES bytes (the
 * last one may have fewer), one after the other. */
enum { INPUT_BYTES = 8 };
bool program_writes_input(const Program *program, FuncId function);

/* A robust mutex whose owner ended: the next owner is told and must repair it. */
typedef enum {
  ROBUST_NOT,
  ROBUST_WELL,
  ROBUST_OWNER_DEAD,
  ROBUST_UNREPAIRED,
  ROBUST_LOST
} RobustState;

/* ---- results ---- */

/* How an operation ended. RESULT_ERROR: it was misused, or could not do its work. */
typedef enum {
  RESULT_OK,
  RESULT_BUSY,
  RESULT_TIMEOUT,
  RESULT_ERROR,
  RESULT_SPECIAL, /* the one thread that a barrier chooses */
} SyncOutcome;

typedef struct {
  int64_t value;  /* what the call returns, as far as it returns anything */
  int error;      /* not 0: what errno becomes */
  bool has_value; /* dst receives the value */
} SyncReturn;

/* What the edge's operation returns when it ends so. `number` is the errno value of a
 * RESULT_ERROR, 0 where only the table of results knows. C11's thrd_* codes are no errno
 * values: there the table's one stands for every error. */
SyncReturn sync_return(const Program *program, const Edge *edge, SyncOutcome outcome,
                       int number);

#endif
