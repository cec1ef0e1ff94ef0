/* The interpreter of the program model: it runs a Program, byte-exact and deterministic.
 *
 * Same program, same options, same run, byte for byte. Without a scheduler of the
 * caller's own the threads take turns as a seeded generator says; with one
 * (ExecOptions.choose, or exec_step) every edge is one step and the caller says whose.
 *
 * An Exec borrows the Program and the texts of its options; both must outlive it. It owns
 * all else. Nothing here prints or exits: what the program writes goes to the sink. */
#ifndef HEDDLE_MODEL_EXEC_EXEC_H
#define HEDDLE_MODEL_EXEC_EXEC_H

#include "base/str.h"
#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Exec Exec;

/* ---- how a run ends
 * ----------------------------------------------------------------------- */

typedef enum {
  EXEC_RUNNING,
  EXEC_EXITED,     /* normally, with `status` */
  EXEC_ABORTED,    /* by a signal of its own (abort); `status` is the signal's number */
  EXEC_ASSERTION,  /* an assertion failed at `edge` */
  EXEC_DEADLOCK,   /* threads wait and none can ever go on */
  EXEC_ASSUMPTION, /* an assumption of the user does not hold on this run: it says nothing
                    */
  EXEC_STOPPED,    /* undefined, or not modelled: `text` says what, `edge` where */
  EXEC_STEP_LIMIT,
} ExecEnd;

typedef struct {
  ExecEnd end;
  int status;
  uint32_t thread;  /* the thread concerned, 0 if none */
  EdgeId edge;      /* where, 0 if nowhere */
  const char *text; /* one line for people, with the place in front; owned by the Exec */
  uint64_t steps;
} ExecResult;

/* ---- choices of the scheduler
 * ------------------------------------------------------------- */

typedef enum {
  CHOICE_STEP,    /* the thread takes this edge */
  CHOICE_TIMEOUT, /* its timed wait or sleep ends because time has passed; offered for the
                     earliest deadline only: the later ones come when it has passed */
  CHOICE_SPURIOUS, /* its condition wait ends without a signal (ExecOptions.spurious) */
} ExecChoiceKind;

typedef struct {
  uint32_t thread; /* from 1 (main) on, in order of creation */
  EdgeId edge;  /* the thread's next edge; of a thread that waits: the edge it waits in */
  uint8_t kind; /* ExecChoiceKind */
  uint32_t waiter; /* SIGNAL with several waiters: the thread to wake; else 0 */
} ExecChoice;

/* Picks one of `count` > 0 possible steps, by its index. They come ordered by thread,
 * then edge. An answer out of range ends the run with EXEC_STOPPED. */
typedef size_t ExecChoose(void *user, Exec *exec, const ExecChoice *choices,
                          size_t count);
/* A value for HAVOC: fills `words` 64-bit words; `bits` of them count. */
typedef void ExecHavoc(void *user, EdgeId edge, uint32_t bits, uint64_t *words);
/* What the program writes to descriptor 1 or 2. */
typedef void ExecOutput(void *user, int fd, const void *bytes, size_t n);

typedef struct {
  uint64_t seed;
  uint64_t max_steps;    /* 0: no limit */
  uint64_t memory_limit; /* bytes the program may use; 0: 4 GiB */
  int argc;              /* argv[0] is the program's name; argc 0: ("program") */
  const char *const *argv;
  bool stepwise; /* one edge at a time, for exec_step; implied by `choose` */
  bool spurious; /* condition waits may end without a cause */
  bool isolated; /* nothing outside is touched: standard input is empty, files cannot be
                    opened or changed, output goes to the sink or nowhere */
  ExecChoose *choose; /* NULL: the seeded scheduler */
  ExecHavoc *havoc;   /* NULL: the seeded generator */
  ExecOutput *output; /* NULL: written to heddle's own descriptors */
  void *user;         /* for the three */
} ExecOptions;

/* Makes a machine with the program loaded and its main thread ready. Never fails: a
 * program that cannot run has already ended (exec_result). */
Exec *exec_new(const Program *program, const ExecOptions *options);
void exec_free(Exec *exec); /* accepts NULL */

/* Runs to the end. */
const ExecResult *exec_run(Exec *exec);
/* The possible steps of a stepwise machine (0: the run has ended; then see exec_result).
 * Valid until the next step. */
size_t exec_choices(Exec *exec, const ExecChoice **ret_choices);
/* Takes the step choices[index]; false when the run has ended with it. */
bool exec_step(Exec *exec, size_t index);
/* The end so far; EXEC_RUNNING while there is none. */
const ExecResult *exec_result(const Exec *exec);

/* ---- looking inside (between steps; stepwise machines only where edges are asked for)
 * ------ */

typedef enum { THREAD_READY, THREAD_WAITING, THREAD_ENDED } ExecThreadState;

typedef enum {
  WAIT_NONE,
  WAIT_LOCK,      /* address: the lock; holder: a thread that has it */
  WAIT_CONDITION, /* address: the condition variable */
  WAIT_BARRIER,
  WAIT_SEMAPHORE,
  WAIT_JOIN, /* holder: the thread awaited */
  WAIT_ONCE, /* holder: the thread that runs the function */
  WAIT_SLEEP,
} ExecWaitKind;

typedef struct {
  ExecWaitKind kind;
  uint64_t address;
  uint32_t holder; /* 0: unknown or none */
  EdgeId edge;
  bool timed; /* it ends by itself some time */
} ExecWait;

/* A live object: `kind` as in the model; id and site are 0 where there is none. */
typedef struct {
  ObjectKind kind;
  ObjectId id; /* OBJECT_HEAP: the model's object of the allocating site, if known */
  EdgeId site;
  uint32_t thread; /* whose stack or thread-local instance; else 0 */
  uint64_t address, size;
} ExecObject;

typedef enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ATOMIC = 4 } ExecAccessKind;

typedef struct {
  uint64_t address, size;
  unsigned kind;     /* of ExecAccessKind */
  bool has_object;   /* false: the address is in no live object */
  ExecObject object; /* its offset is address - object.address */
} ExecAccess;

enum { EXEC_ACCESS_MAX = 2 };

/* Threads are numbered from 1 (main); this many were ever created. */
uint32_t exec_thread_count(const Exec *exec);
ExecThreadState exec_thread_state(Exec *exec, uint32_t thread);
/* What a THREAD_WAITING thread waits for. */
bool exec_thread_wait(Exec *exec, uint32_t thread, ExecWait *ret_wait);
/* The edges that the thread could take next, up to `max` of them are written; returns how
 * many there are. Several only at nodes with a real choice. Blocked operations are listed
 * too. */
size_t exec_next_edges(Exec *exec, uint32_t thread, EdgeId *edges, size_t max);
/* The memory that `edge`, one of the thread's next edges, would touch: LOAD, STORE, RMW,
 * CMPXCHG, COPY, FILL. Returns how many accesses were written to ret. */
size_t exec_next_access(Exec *exec, uint32_t thread, EdgeId edge,
                        ExecAccess ret[EXEC_ACCESS_MAX]);
/* The address of the synchronisation object that `edge` works on; 0 when there is none.
 */
uint64_t exec_next_sync(Exec *exec, uint32_t thread, EdgeId edge);
/* The address of the lock that LOCK, UNLOCK or WAIT takes or releases; 0 for other edges.
 */
uint64_t exec_next_lock(Exec *exec, uint32_t thread, EdgeId edge);
/* The thread that a JOIN, DETACH or CANCEL names; 0 if there is none. */
uint32_t exec_next_thread(Exec *exec, uint32_t thread, EdgeId edge);
/* The live object that contains (or, one past its end, ends at) the address. */
bool exec_find_object(Exec *exec, uint64_t address, ExecObject *ret_object);
/* "4 bytes into counter (prog.c:3)", "inside a freed block", "null", … */
void exec_describe(Exec *exec, uint64_t address, Str *out);
/* The value of one of the thread's locals in its innermost frame, value_words(bits)
 * words. */
bool exec_local(Exec *exec, uint32_t thread, LocalId local, uint64_t *words);

#endif
