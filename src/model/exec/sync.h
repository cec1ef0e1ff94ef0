/* The state of synchronisation objects, shared by sync.c (locks) and sync_wait.c (the
 * rest).
 *
 * State is kept beside the program's memory, keyed by the object's address: made from the
 * bytes of a static initialiser at the first use, or by an init operation, and dropped
 * when the object is destroyed or its memory dies. Only a once flag is mirrored in
 * memory, because programs reset it by assignment. */
#ifndef HEDDLE_MODEL_EXEC_SYNC_H
#define HEDDLE_MODEL_EXEC_SYNC_H

#include "model/exec/eval.h"
#include "model/sync.h"

typedef struct {
  uint64_t address;
  uint8_t kind;       /* SyncKind; SYNC_NONE: a free entry */
  uint8_t robust;     /* RobustState of a mutex */
  uint8_t lock;       /* LockKind */
  uint8_t type;       /* MutexType */
  bool explicit_type; /* given by an init, not by the object's bytes */
  bool writers_first; /* read-write lock: readers wait while a writer sleeps */
  uint32_t writers;   /* … of whom there are so many */
  uint32_t
      owner; /* lock: thread that holds it exclusively; once: that runs the function */
  uint32_t depth; /* recursive locks: how often; barriers: how often it has opened */
  uint64_t value; /* semaphore: its value; barrier: how many threads it takes */
  VEC(uint32_t)
  threads; /* readers (once for each lock), or waiters in order of arrival */
} Sync;

struct SyncTable {
  VEC(Sync) entries;
  VEC(uint32_t) free;
  Map index; /* address → entry + 1; 0: dropped */
  uint32_t live;
};

/* The state of the object, made if need be; another kind's state at this address is
 * replaced. NULL and a recorded stop when the address is no live memory. */
Sync *sync_get(Exec *exec, uint64_t address, SyncKind kind);
/* The state if there is one already. */
Sync *sync_find(const Exec *exec, uint64_t address, SyncKind kind);
void sync_drop(Exec *exec, uint64_t address);

/* Writes what the call returns; the operation is over. Always OUT_NEXT. */
Outcome sync_result(Exec *exec, ExecThread *thread, const Site *site, SyncOutcome kind);
/* The same with an errno value of its own where the table's one is not exact enough. */
Outcome sync_error(Exec *exec, ExecThread *thread, const Site *site, int number);

/* Reads the deadline of a timed operation (operand address 0: none) as a time of
 * exec_clock. False: a stop is recorded; *ret_valid is false when the time is malformed.
 */
bool sync_deadline(Exec *exec, uint64_t address, uint64_t *ret_deadline, bool *ret_valid);
/* All threads that wait for this object try again. */
void sync_retry(Exec *exec, ExecWaitKind kind, uint64_t address);

/* ---- sync.c ---- */
Sync *lock_state(Exec *exec, uint64_t address, LockKind kind);
/* Takes the lock if it can; false when it is held. */
bool lock_take(Sync *lock, const ExecThread *thread, LockMode mode);
bool lock_would_block(const Sync *lock, const ExecThread *thread, LockMode mode);
void lock_release(Exec *exec, Sync *lock);
/* The thread has taken it, after all who released it before. */
void lock_order(Exec *exec, ExecThread *thread, uint64_t address, LockMode mode);
/* The thread has ended: the robust mutexes that it held pass on. */
void lock_owner_ended(Exec *exec, ExecThread *thread);
/* pthread_mutex_consistent: false when there is nothing to repair. */
bool lock_repair(Exec *exec, const ExecThread *thread, uint64_t address);
Outcome lock_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);

/* ---- sync_stream.c ---- */
/* The streams whose locks a call with this effect holds meanwhile: the one of index i, from 0 on;
 * 0: there are no more. */
uint64_t stream_used(const Exec *exec, const Effect *effect, const uint64_t *args,
                     uint32_t argc, uint32_t i);
/* A stream that the call needs and whose lock another thread has taken; 0: there is none. */
uint64_t stream_held_by_other(const Exec *exec, const ExecThread *thread, FuncId function,
                              const uint64_t *args, uint32_t argc);
/* … of the call that the thread stands before, if the edge is one. */
uint64_t stream_awaited_at(Exec *exec, ExecThread *thread, EdgeId edge);

/* ---- sync_wait.c ---- */
Outcome wait_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);
bool wait_would_block(Exec *exec, ExecThread *thread, const Edge *edge, uint64_t address);

#endif
