/* The lowering: what operations of threads and synchronisation do, as plain data.
 *
 * Every such operation is a set of rows  atomic { assume guards; ghost := … }  over ghost
 * variables: the owner and count of a mutex, the value of a semaphore, whether a thread has
 * ended, and so on. A row can be taken when it fits the edge (kind and mode of the lock, try or
 * timed) and the phase of the thread, and when all its guards hold. A thread for which no row
 * of its operation can be taken waits. Rows never depend on their order; where several can be
 * taken, all of them are possible.
 *
 * An operation that sleeps takes more than one row: it begins in LOWER_START, goes to
 * LOWER_SLEEPS, is brought out of it by somebody's wake, by the time or for no reason, and ends
 * with the row that has `over`. The program sees a result only then.
 *
 * Engines that explore interpret the rows over their own values (numbers, abstract values,
 * formulas). tests/lowering runs them beside the interpreter (model/exec), which is their judge. */
#ifndef HEDDLE_MODEL_LOWER_H
#define HEDDLE_MODEL_LOWER_H

#include "model/sync.h"

/* Ghost variables. All are 0 in an object that was never used, but for those that the bytes of
 * the object say: the type of a mutex, the value of a semaphore, the state of a once flag. */
typedef enum {
  GHOST_OWNER,   /* lock, once, section: the thread that has it, 0: none */
  GHOST_COUNT,   /* lock, section: how often its owner has it */
  GHOST_READERS, /* lock: how often it is held for reading, by all threads */
  GHOST_READS,   /* … by this thread */
  GHOST_TYPE,    /* lock: MutexType */
  GHOST_ROBUST,  /* lock: RobustState */
  GHOST_WAITERS, /* condition: how many threads sleep */
  GHOST_VALUE,   /* semaphore */
  GHOST_SIZE,    /* barrier: how many threads it takes, 0: it was not initialised */
  GHOST_MISSING, /* barrier: how many have not arrived in this generation */
  GHOST_DONE,    /* once: not 0 when the function has returned */
  GHOST_KNOWN,   /* thread: there is one with this id */
  GHOST_ENDED,
  GHOST_DETACHED,
  GHOST_JOINED,
  GHOST_CANCEL, /* somebody wants it cancelled, and it does not refuse */
  GHOST_ALL     /* how many there are */
} Ghost;

/* Whose variable it is. */
typedef enum {
  OF_A,      /* of the object that operand a is the address of */
  OF_LOCK,   /* WAIT: of the lock, operand b */
  OF_THREAD, /* of the thread that operand a names */
  OF_SELF,   /* of the thread that moves */
  OF_SECTION,
  OF_TERM, /* guards only: no variable is compared, but the LowerTerm in the place of its name */
} LowerWhose;

/* What a variable is compared with or set to. */
typedef enum {
  TERM_NUMBER,  /* LowerGuard.number */
  TERM_SELF,    /* the number of this thread */
  TERM_THREAD,  /* … of the thread that operand a names */
  TERM_OPERAND, /* the value of operand b */
  TERM_TYPE,    /* LOCK_INIT: MutexType that operand b asks for */
  TERM_ROBUST,  /* … RobustState */
  TERM_SIZE,    /* the object's GHOST_SIZE */
} LowerTerm;

typedef enum { REL_NONE, REL_EQ, REL_NE, REL_LT, REL_GT } LowerRelation;
typedef enum { CHANGE_NONE, CHANGE_SET, CHANGE_ADD, CHANGE_RESET } LowerChangeKind;

/* `ghost` of `whose` stands in this relation to the term. */
typedef struct {
  uint8_t relation; /* LowerRelation; REL_NONE: no guard */
  uint8_t whose, ghost, term;
  int32_t number;
} LowerGuard;

typedef struct {
  uint8_t
      kind; /* LowerChangeKind. RESET: all variables of the object are as if never used */
  uint8_t whose, ghost, term;
  int32_t number;
} LowerChange;

/* Where a thread is in its operation. */
typedef enum {
  LOWER_START = 1,
  LOWER_SLEEPS = 2,
  LOWER_WOKEN = 4, /* by a signal, or for no reason */
  LOWER_LATE = 8,  /* its time is up */
  LOWER_RUNS = 16, /* ONCE: its function runs */
} LowerPhase;

/* What makes a row be taken: a step of the thread, or the world. */
typedef enum { CAUSE_STEP, CAUSE_TIME, CAUSE_SPURIOUS, CAUSE_RETURN } LowerCause;

/* What happens to threads that sleep in an operation on an object. */
typedef enum {
  WAKE_NONE,
  WAKE_ONE, /* any one of those at object a: LOWER_WOKEN */
  WAKE_ALL,
  WAKE_RETRY,      /* those at object a go back to LOWER_START */
  WAKE_RETRY_LOCK, /* … at the lock of a WAIT */
  WAKE_CANCEL, /* the thread that operand a names, if it can be cancelled where it sleeps */
} LowerWake;

/* How the operation ends. */
typedef enum {
  ENDS_NOT,       /* it goes on in `next` */
  ENDS_RESULT,    /* with `outcome` and `error` */
  ENDS_CANCELLED, /* the thread begins to end */
  ENDS_UNDEFINED, /* nothing is promised: the program is wrong */
} LowerEnd;

enum { LOWER_GUARDS = 5, LOWER_CHANGES = 4 };

typedef struct {
  /* which edges and when */
  uint8_t op;
  uint8_t phases;   /* set of LowerPhase */
  uint8_t cause;    /* LowerCause */
  uint8_t locks;    /* set of 1 << LockKind; 0: any */
  uint8_t modes;    /* set of 1 << LockMode; 0: any */
  uint8_t attempts; /* set of 1 << Attempt; 0: any */
  /* what must hold, and what is done */
  LowerGuard guards[LOWER_GUARDS];
  LowerChange changes[LOWER_CHANGES];
  uint8_t wake; /* LowerWake */
  /* what is ordered: the thread learns what was released there before, or lets those who
   * acquire later learn what it has done. 1 + LowerWhose, 0: nothing. Who is woken at an
   * object that the row acquires acquires it at that moment, not when it moves. */
  uint8_t acquires, releases;
  /* and then */
  uint8_t end;     /* LowerEnd */
  uint8_t outcome; /* SyncOutcome */
  uint8_t next;    /* LowerPhase after ENDS_NOT */
  int error;       /* errno value of RESULT_ERROR; 0: as the table of results says */
} LowerRow;

/* The rows of the operation, one after the other; 0 of them when it is none of threads or
 * synchronisation. */
const LowerRow *lower_rows(OpKind op, uint32_t *ret_count);
/* The row is about this edge, in this phase, for this cause. */
bool lower_fits(const LowerRow *row, const Edge *edge, LowerPhase phase,
                LowerCause cause);
/* The row is about holding a lock for reading: what it releases is learnt by those who hold
 * the lock alone, and it learns nothing of other readers. */
bool lower_shares(const LowerRow *row);

/* ---- over numbers ---- */

/* A value that is not known. */
static const int64_t LOWER_ANY = INT64_MIN;

/* Where the variables live. `set` with ghost GHOST_ALL resets all of them. */
typedef struct {
  int64_t (*get)(void *data, LowerWhose whose, Ghost ghost);
  void (*set)(void *data, LowerWhose whose, Ghost ghost, int64_t value);
  int64_t (*term)(void *data, LowerTerm term); /* all but TERM_NUMBER and TERM_SIZE */
} LowerMachine;

/* All guards hold, or may hold where LOWER_ANY is compared. */
bool lower_holds(const LowerRow *row, const LowerMachine *machine, void *data);
bool lower_guard_holds(const LowerGuard *guard, const LowerMachine *machine, void *data);
/* Does the changes. Waking and going on is for the caller. */
void lower_apply(const LowerRow *row, const LowerMachine *machine, void *data);

#endif
