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
  const char *
      misuse; /* EXEC_STOPPED: what is undefined about this use of synchronisation, as in "joins …";
                         constant. NULL: it is something else */
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

typedef struct ExecEvent ExecEvent;
/* Looks on: see ExecEvent. */
typedef void ExecWatch(void *user, const ExecEvent *event);

typedef struct {
  uint64_t seed;
  uint64_t max_steps;    /* 0: no limit */
  uint64_t memory_limit; /* bytes the program may use; 0: 4 GiB */
  int argc;              /* argv[0] is the program's name; argc 0: ("program") */
  const char *const *argv;
  bool stepwise; /* one edge at a time, for exec_step; implied by `choose` */
  bool spurious; /* condition waits may end without a cause */
  bool refusals; /* what is asked for (memory, a stream, a thread) may be refused where
                    the table says so: `havoc` is asked for one bit, 1 refuses */
  bool isolated; /* nothing outside is touched: see `input`; files cannot be
                    opened or changed, output goes to the sink or nowhere */
  /* What an isolated program finds: standard input, and its environment, up to NULL. NULL:
   * nothing. */
  const char *input;
  const char *const *environment;
  bool unlock_any; /* a thread may release a lock that another one holds */
  bool
      glibc; /* what POSIX leaves undefined about locks is done as glibc does it: locks are released
                 by anybody, overwritten ones are what their bytes say, a deadline that is NULL is
                 none; and a thread may fall asleep before a lock that it cannot have */
  ExecChoose *choose; /* NULL: the seeded scheduler */
  ExecHavoc *havoc;   /* NULL: the seeded generator */
  ExecOutput *output; /* NULL: written to heddle's own descriptors */
  ExecWatch *watch;   /* NULL: nobody; stepwise machines only */
  void *user;         /* for the four */
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
/* How much of ExecOptions.input the program has read. */
size_t exec_input_read(const Exec *exec);
/* The end so far; EXEC_RUNNING while there is none. */
const ExecResult *exec_result(const Exec *exec);

/* ---- going back
 * --------------------------------------------------------------------------- */

/* The state of a stepwise machine between two steps. It can be put back into the same
 * machine any number of times, while the options' texts live; from then on the machine
 * behaves as it did from there, whatever happened meanwhile. Who looks on (`watch`) keeps
 * his own state. NULL: the state cannot be copied, because the run has ended, a thread is
 * inside of a library function that has called back or of a function with variable
 * arguments, the program has something of the host's open, or it uses too much memory. */
typedef struct ExecSave ExecSave;
ExecSave *exec_save(const Exec *exec);
void exec_restore(Exec *exec, const ExecSave *save);
void exec_save_free(ExecSave *save); /* accepts NULL */

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
  ObjectId id; /* made by an edge: the model's object of that site, if known */
  EdgeId site;
  uint32_t thread; /* whose stack or thread-local instance; else 0 */
  uint64_t address, size;
} ExecObject;

/* The first three bits are those of OpAccessKind. */
typedef enum {
  ACCESS_READ = 1,
  ACCESS_WRITE = 2,
  ACCESS_ATOMIC = 4,
  ACCESS_FREE = 8 /* with WRITE: the end of a heap block's life */
} ExecAccessKind;

typedef struct {
  uint64_t address, size;
  unsigned kind;     /* of ExecAccessKind */
  ExprId operand;    /* of the edge: whose value the address is */
  bool has_object;   /* false: the address is in no live object */
  ExecObject object; /* its offset is address - object.address */
} ExecAccess;

enum { EXEC_ACCESS_MAX = 2 };

/* ---- what happens, for those who want to know what is ordered
 * ------------------------------
 *
 * A watched machine tells of each access to memory and of everything that orders threads,
 * in the order of the run. What a step does is told before the step can end the run by
 * itself (a use of freed memory is an access). An order of C11 and POSIX is always one of
 * these: RELEASE of a channel before ACQUIRE of the same channel, CREATE before all of
 * the new thread, all of a thread before its JOIN, and what the atomics and fences among
 * the accesses give by their memory orders. Library functions tell of the accesses that
 * they surely make; those that lock something themselves are acquisitions and releases of
 * it. */
typedef enum {
  EVENT_ACCESS,  /* address, size, access, order; a read-modify-write is both */
  EVENT_FENCE,   /* order */
  EVENT_RELEASE, /* of `channel` at `address` */
  EVENT_ACQUIRE,
  EVENT_RESET,  /* what was released there before is nothing to those who acquire later */
  EVENT_CREATE, /* `other` is the new thread */
  EVENT_JOIN,   /* `other` is the thread that has ended */
  EVENT_FRESH,  /* address, size: a new object begins here; who used the old one does not
                   matter */
} ExecEventKind;

typedef enum {
  CHANNEL_LOCK,    /* by unlocking what was held alone */
  CHANNEL_READERS, /* by unlocking what was held for reading */
  CHANNEL_EVENT,   /* signal, post, once, release */
  CHANNEL_BARRIER, /* one for each time that it opens: `other` says which */
  CHANNEL_SECTION, /* the one atomic section */
  CHANNEL_LIBRARY, /* state that the library locks */
} ExecChannel;

struct ExecEvent {
  uint8_t kind;    /* ExecEventKind */
  uint8_t access;  /* of ExecAccessKind */
  uint8_t order;   /* MemoryOrder */
  uint8_t channel; /* ExecChannel */
  uint32_t thread;
  uint32_t other;
  EdgeId edge;
  uint64_t address, size;
  ObjectId hidden; /* not 0: the access is to this state inside of the library, and
                      `address` only tells it from others */
};

/* Threads are numbered from 1 (main); this many were ever created. */
uint32_t exec_thread_count(const Exec *exec);
ExecThreadState exec_thread_state(Exec *exec, uint32_t thread);
/* What a THREAD_WAITING thread waits for. */
bool exec_thread_wait(Exec *exec, uint32_t thread, ExecWait *ret_wait);
/* Some threads wait for locks, joins or one-time initialisers of each other, or for those of a thread
 * that has ended: whatever the others do, they never go on. ret_in[t] says whether thread t is one of
 * them; it has room for exec_thread_count + 1. */
bool exec_find_circle(Exec *exec, bool *ret_in);
/* The edges that the thread could take next, up to `max` of them are written; returns how
 * many there are. Several only at nodes with a real choice. Blocked operations are listed
 * too. */
size_t exec_next_edges(Exec *exec, uint32_t thread, EdgeId *edges, size_t max);
/* The memory that `edge`, one of the thread's next edges, would touch (model/op_access.h),
 * objects of synchronisation left out. Returns how many accesses were written to ret. */
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
/* "stdout", if the standard stream is there; or NULL. */
const char *exec_stream_name(const Exec *exec, uint64_t address);
/* The bytes of the program's memory as they are; false where there are none. */
bool exec_peek_memory(Exec *exec, uint64_t address, void *to, size_t n);
/* The live object that contains (or, one past its end, ends at) the address. */
bool exec_find_object(Exec *exec, uint64_t address, ExecObject *ret_object);
/* "4 bytes into counter (prog.c:3)", "inside a freed block", "null", … */
void exec_describe(Exec *exec, uint64_t address, Str *out);
/* The value of one of the thread's locals in its innermost frame, value_words(bits)
 * words. */
bool exec_local(Exec *exec, uint32_t thread, LocalId local, uint64_t *words);

#endif
