/* The trace file and the control file: what the runtime inside a checked program and the
 * tool agree on. This header is all that the two share.
 *
 * Trace file
 * 1. It begins with a page that holds a TraceHeader. Numbers have the byte order of the
 *    machine; version and magic tell a foreign file.
 * 2. Blocks follow at multiples of TRACE_UNIT. Each begins with a TraceBlock and belongs
 *    to one thread; the blocks of a thread are numbered from 0, in the order of the file.
 *    The last one, which the thread still fills, has TRACE_OPEN_MAGIC and may be anywhere;
 *    when its number is that of the block before, it is the same, and does not count. It
 *    is written through a shared mapping, and `used` grows after the bytes are there:
 *    whatever ends the program, the file is complete up to that moment. A unit without the
 *    magic of a block was taken but never begun, and is skipped.
 * 3. A block holds events, each decodable with what came before in its block: differences
 *    start from 0 in every block.
 * 4. An access is a byte with TRACE_ACCESS set, then the differences of the address and
 * of the place in the code to those of the access before, as signed numbers; for the size
 *    class TRACE_SIZE_ANY the size follows.
 * 5. Any other event is a TraceOp, then its number in the order of all events
 * (difference), the place in the code (signed difference), the object (signed difference)
 * and as many arguments as TRACE_OPS says. TRACE_MODULE and TRACE_EVENT_KIND are followed
 * by as many bytes as their argument says: the path, the text of the kind.
 * 6. A number has one to seven bytes, least significant first. The lowest 3 bits say how
 *    many follow the first byte, the others are the number. 7 says that the number is the
 *    next eight bytes. Signed ones are folded (0, -1, 1, -2, …).
 * 7. An access lies between the two events of its thread that surround it. Only the first
 *    access to a byte in such a segment needs to be there, and a write stands for reads
 *    after it. Accesses of one kind that one place in the code makes to memory in a row may
 *    be told as one, with the size class TRACE_SIZE_ANY; those to memory in equal steps, with
 *    TRACE_SIZE_STEPS: then the size of each, the step as a signed number and how many there
 *    are follow. There are none before the first TRACE_CREATE, nor while all threads but one
 *    are joined.
 * 8. A file that is kept may be packed afterwards: TRACE_PACKED is set in the state, and
 *    the blocks stand one behind the other from TRACE_PAGE on, with TRACE_PACKED_MAGIC
 *    and in the old order, those that were open last. Behind each header come `packed`
 *    bytes, a frame of zstd with the events; when `packed` is `used`, they are the events
 *    themselves.
 * 9. A thread that repeats the same round of events and accesses, after which nothing is
 *    different, need not tell each: TRACE_FOLD lies between the first of these rounds and
 *    the last. Events that were left out had numbers of their own. */
#ifndef HEDDLE_TRACE_FORMAT_H
#define HEDDLE_TRACE_FORMAT_H

#include <stdint.h>

#define TRACE_MAGIC        "HEDTRACE"
#define TRACE_BLOCK_MAGIC  0x4b4c4244u
#define TRACE_OPEN_MAGIC   0x4b4c4f44u
#define TRACE_PACKED_MAGIC 0x4b4c5044u
/* Found in every program with the runtime; the number counts changes of this header. */
#define TRACE_MARK_BEGIN       "heddle runtime, interface "
#define TRACE_MARK             TRACE_MARK_BEGIN "3"
#define TRACE_CONTROL_VARIABLE "HEDDLE_CONTROL"

enum {
  TRACE_VERSION = 6,
  TRACE_OLDEST_VERSION = 6, /* before, accesses of several places were told as one */
  TRACE_PAGE = 4096,
  TRACE_UNIT = 16384,
  TRACE_LARGEST_BLOCK = 1 << 20,
  TRACE_LONGEST_RUN = 1 << 24, /* bytes of accesses in a row that are told as one */
  TRACE_MOST_STEPS = UINT16_MAX,
  TRACE_LONGEST_STEP = INT16_MAX, /* bytes */
  TRACE_MOST_THREADS = 1 << 16,
};

/* name, word in the text forms, number of arguments */
#define TRACE_OPS(X)                                                                     \
  X(NONE, "none", 0)                                                                     \
  X(START, "start", 3) /* object: the parent; which child of it, stack, its size */      \
  X(END, "end", 0)                                                                       \
  X(CREATE, "create", 0) /* object: the child */                                         \
  X(JOIN, "join", 0)     /* object: the child */                                         \
  X(LOCK, "lock", 0)                                                                     \
  X(FAILED_LOCK, "failed-lock", 0)                                                       \
  X(READ_LOCK, "read-lock", 0)                                                           \
  X(FAILED_READ_LOCK, "failed-read-lock", 0)                                             \
  X(UNLOCK, "unlock", 0)                                                                 \
  X(WAIT, "wait", 1)           /* the mutex is released, the wait begins */              \
  X(WOKEN, "woken", 1)         /* the wait ended, the mutex is held again */             \
  X(TIMED_OUT, "timed-out", 1) /* the same, but by time */                               \
  X(SIGNAL, "signal", 0)                                                                 \
  X(BROADCAST, "broadcast", 0)                                                           \
  X(BARRIER_INIT, "barrier-init", 1)                                                     \
  X(BARRIER_ENTER, "barrier-enter", 0)                                                   \
  X(BARRIER_EXIT, "barrier-exit", 0)                                                     \
  X(SEM_INIT, "sem-init", 1)                                                             \
  X(SEM_WAIT, "sem-wait", 0)                                                             \
  X(FAILED_SEM_WAIT, "failed-sem-wait", 0)                                               \
  X(SEM_POST, "sem-post", 0)                                                             \
  X(ONCE_RUN, "once-run", 0) /* this thread runs the routine */                          \
  X(ONCE_END, "once-end", 0)                                                             \
  X(ONCE_SEEN, "once-seen", 0)       /* it had been run */                               \
  X(ATOMIC_LOAD, "atomic-load", 2)   /* size and order, value */                         \
  X(ATOMIC_STORE, "atomic-store", 3) /* size and order, value before, value after */     \
  X(ATOMIC_RMW, "atomic-rmw", 3)     /* size and order, value before, value after */     \
  X(ALLOC, "alloc", 1)                                                                   \
  X(FREE, "free", 1)                                                                     \
  X(FORGET, "forget", 0) /* the object at this address begins or ends its life */        \
  X(BEFORE, "happens-before", 0)                                                         \
  X(AFTER, "happens-after", 0)                                                           \
  X(MODULE, "module", 1)         /* object: where it is loaded; length of the path */    \
  X(WAIT_EXIT, "wait-exit", 0)   /* a loop around a wait is left */                      \
  X(EVENT_KIND, "event-kind", 1) /* object: its TraceEventKind; length of its text */    \
  X(VALUES, "values", 3)         /* of the event that follows: its fourth to sixth */    \
  X(EVENT, "event", 3)           /* of the user; object: its TraceEventKind; values */   \
  X(FENCE, "fence", 1)           /* its memory order, as compilers number them */        \
  X(GIVE, "give", 0)             /* a call that may tell others something; TraceMeans */ \
  X(TAKE, "take", 0)             /* one came back that may have waited for others */     \
  X(FOLD, "fold", 2) /* rule 9: events of a round, rounds that were left out */

typedef enum {
#define X(name, word, args) TRACE_##name,
  TRACE_OPS(X)
#undef X
      TRACE_OP_COUNT
} TraceOp;

/* The first argument of an atomic operation: its size, and in the bits above its memory
 * order, as compilers number them, + 1. */
enum { TRACE_ORDER_SHIFT = 8, TRACE_ATOMIC_SIZE = 0xff };

/* What a TRACE_GIVE or TRACE_TAKE goes through: the lowest bits of its object; the others
 * say which one. */
typedef enum {
  TRACE_BY_ANY,    /* take: everything that was given */
  TRACE_BY_PIPE,   /* its inode */
  TRACE_BY_SOCKET, /* all of them are one: who is at the other end is not known */
  TRACE_BY_FILE,   /* its inode */
  TRACE_BY_FD,     /* another descriptor: eventfd, … */
  TRACE_BY_FUTEX,  /* its address */
  TRACE_BY_SIGNAL, /* given: any thread may be interrupted by it */
  TRACE_BY_QUEUE,  /* of messages: all of them are one */
  TRACE_BY_ASM,    /* assembly of the program's own: all of it is one */
} TraceMeans;
enum { TRACE_MEANS_BITS = 4 };

/* An event of the user as the compiler puts it into the program: its name and one word
 * for each field, a constant or "#" for a value that comes with every occurrence. The
 * structs of a program stand in a row in the section TRACE_EVENT_SECTION. */
enum { TRACE_EVENT_TEXT = 120, TRACE_EVENT_VALUES = 6 };
#define TRACE_EVENT_SECTION "heddle_events"

typedef struct {
  uint32_t values; /* how many fields are "#" */
  uint32_t told;   /* the runtime has told it to the trace */
  char text[TRACE_EVENT_TEXT];
} TraceEventKind;

/* The first byte of an access. */
enum {
  TRACE_ACCESS = 0x80,
  TRACE_WRITE = 0x40,
  TRACE_ATOMIC = 0x20,
  TRACE_SIZE_MASK = 0x07, /* 0 to 4: 1, 2, 4, 8, 16 bytes */
  TRACE_SIZE_STEPS = 0x06,
  TRACE_SIZE_ANY = 0x07,
};

/* Bits of TraceHeader.state. */
enum {
  TRACE_ENDED = 1,      /* the program came to its exit */
  TRACE_INCOMPLETE = 2, /* events are missing: the disk is full */
  TRACE_STUCK = 4,      /* it deadlocked: see the control file */
  TRACE_PACKED = 8,     /* rule 8 */
  TRACE_OPENMP = 16,    /* the program has code of OpenMP */
};

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t state;    /* TRACE_ENDED, … */
  uint64_t end;      /* where the next block goes; updated atomically */
  uint64_t sequence; /* number of the next event; updated atomically */
  uint32_t threads;  /* how many there were; updated atomically */
  uint32_t process;
  int32_t lost_errno; /* why TRACE_INCOMPLETE */
  uint32_t peak_kib;  /* the program's largest resident size; 0: it did not say */
} TraceHeader;

/* An access that may still grow: it belongs behind the last event of its block. */
typedef struct {
  uint64_t address, size; /* size 0: none */
  uint64_t pc;
  uint32_t flags; /* TRACE_WRITE */
  int32_t step;   /* from one to the next; 0: one, or several in a row */
  uint64_t count; /* how many there are, when there is a step; else 1, or more */
} TracePending;

enum { TRACE_PENDING = 32 };

typedef struct {
  uint32_t magic;
  uint32_t thread;
  uint32_t number; /* of the block among those of the thread */
  uint32_t size;   /* with this header, a multiple of TRACE_UNIT */
  uint32_t used;   /* bytes of events behind the header */
  uint32_t packed; /* bytes behind the header of a packed block */
  TracePending pending[TRACE_PENDING];
} TraceBlock;

/* ---- the control file ------------------------------------------------------------- */

#define CONTROL_MAGIC "HEDCNTRL"

enum {
  CONTROL_VERSION = 8,
  CONTROL_FRAMES = 48,
  CONTROL_LOCKS = 16,
  CONTROL_STUCK = 64,
  CONTROL_MODULES = 64,
  CONTROL_MODULE_PATH = 504,
  CONTROL_PROCESSES = 4096, /* processes of one run with a trace of their own */
  CONTROL_NO_THREAD = 0xffffffffu,
};

typedef enum { CONTROL_OFF, CONTROL_RECORD, CONTROL_REPLAY } ControlMode;

typedef enum {
  CONTROL_RUNNING,  /* nothing is known yet */
  CONTROL_DIVERGED, /* a thread did something else than the schedule says */
  CONTROL_FOLLOWED, /* the schedule was followed to its end; the error did not show yet */
  CONTROL_RACE,     /* both threads stand before their accesses */
  CONTROL_DEADLOCK, /* see `stuck` */
  CONTROL_WAITING,  /* the same, but somebody unknown might release them; `diverged_op` is
                       a ControlOutside */
  CONTROL_FAILED,   /* an assertion failed, or abort was called: see places[0] */
} ControlOutcome;

/* What a guided replay leads to. A schedule of a recorded run (CONTROL_NO_GOAL) has exactly
 * the steps that the program takes. One that was worked out from a model is a guide: it has
 * accesses among its steps, places of the source by which the runtime recognises them, and
 * optional ones that the program may not have. */
typedef enum {
  CONTROL_NO_GOAL,
  CONTROL_TO_RACE,      /* both held threads stand before their accesses */
  CONTROL_TO_UNORDERED, /* the two marked steps are taken; the log says what orders them */
  CONTROL_TO_DEADLOCK,
  CONTROL_TO_ASSERT, /* goal_thread fails */
} ControlGoal;

/* Who might release threads that all wait, beside themselves. */
typedef enum {
  CONTROL_NOBODY,
  CONTROL_HANDLER, /* a signal handler of the program */
  CONTROL_TASK,    /* a thread that the runtime does not know */
  CONTROL_SHARED,  /* another process: what is waited for lies in shared memory */
} ControlOutside;

/* How a recorded run is scheduled, other than it comes. */
enum {
  CONTROL_NEW_FIRST = 1, /* who creates a thread lets it go on first */
  CONTROL_NEW_LAST = 2,  /* new threads wait a moment */
  CONTROL_YIELDS = 4,    /* threads pause at synchronisation now and then */
  CONTROL_ONE_CORE = 8,
  CONTROL_EVERY_ACCESS =
      16, /* what a thread accesses again is told again, each by itself */
};

/* Accesses as steps of a guided replay, beside those of TraceOp. */
enum { CONTROL_READ = TRACE_OP_COUNT, CONTROL_WRITE };

enum {
  CONTROL_OPTIONAL = 1, /* the program may not have this step */
  CONTROL_FIRST = 2,    /* CONTROL_TO_UNORDERED: the one access */
  CONTROL_SECOND = 4,   /* … and the other */
  CONTROL_TAKEN = 8,    /* answer: taken, or left out */
};

/* One step of a schedule. */
typedef struct {
  uint32_t thread; /* into the table of threads */
  uint32_t op;     /* TraceOp */
  uint32_t place;  /* guided: ControlRow.place; else the end of the address; 0: any */
  uint32_t
      round; /* so many steps of the thread, with this as the last, may be repeated */
  uint32_t flags; /* guided: CONTROL_OPTIONAL, … */
  uint32_t next;  /* guided: step of the same thread, or step_count */
} ControlStep;

/* Code from this address on, counted from where the program is loaded, up to the next row
 * belongs to a place of the source. Rows are sorted. */
typedef struct {
  uint64_t address;
  uint32_t place; /* 0: none */
  uint32_t unused;
} ControlRow;

/* What a thread gets from a function that may return anything. */
typedef struct {
  uint64_t value;
  uint32_t next; /* of the same thread, or value_count */
  uint32_t unused;
} ControlValue;

/* Something that orders threads, or one of the two accesses, as it happened. */
typedef struct {
  uint64_t object, size; /* a wait has its mutex for a size, creation and join a thread */
  uint32_t thread, op;
  uint32_t order; /* of an atomic operation, as compilers number them */
  uint32_t flags; /* CONTROL_FIRST, CONTROL_SECOND, TRACE_WRITE << 8, TRACE_ATOMIC << 8 */
} ControlLog;

/* A place of the source at which threads are kept, so that others come to theirs meanwhile. */
typedef struct {
  uint32_t reached, kept; /* answers: how often */
} ControlSpot;

/* Answer: two threads were about to access the same memory at the same time. */
typedef struct {
  uint32_t spot[2];
  uint32_t flags[2]; /* TRACE_WRITE, TRACE_ATOMIC */
  uint64_t address;
} ControlMeeting;

/* What a step turned out to be; kept when Control.keep_seen is set. */
typedef struct {
  uint64_t pc;
  uint32_t op;     /* TRACE_NONE: the step was not done */
  uint32_t values; /* of an event of the user */
  int64_t value[TRACE_EVENT_VALUES];
  char text[TRACE_EVENT_TEXT];
} ControlSeen;

/* A thread of the schedule: the index-th child of its parent. Number 0 is main. */
typedef struct {
  uint32_t parent, index;
  uint32_t first_step, first_value; /* of a guided replay */
} ControlThread;

/* Where a racing thread is held: before an access at this place of the code that overlaps
 * this memory, after so many events of the thread. */
typedef struct {
  uint32_t thread;
  uint32_t events;
  uint64_t pc;            /* 0: any place */
  uint64_t address, size; /* size 0: any memory */
  uint32_t write, atomic;
  uint32_t place; /* guided: of the source, instead of events, pc and memory */
  uint32_t unused;
} ControlHold;

/* What a thread is doing when it is held or stuck. */
typedef struct {
  uint32_t thread; /* CONTROL_NO_THREAD: one that the schedule does not know */
  uint32_t op;     /* what it waits for; an access: TRACE_NONE */
  uint64_t object; /* its address */
  uint64_t size;
  uint64_t pc;
  uint32_t write, atomic;
  uint32_t owner; /* the thread that holds what it waits for, or CONTROL_NO_THREAD */
  uint32_t frame_count, lock_count;
  uint64_t frames[CONTROL_FRAMES]; /* return addresses, innermost first */
  uint64_t locks[CONTROL_LOCKS];   /* held */
  uint64_t lock_places[CONTROL_LOCKS];
  uint64_t value; /* of the memory, up to 8 bytes, when held */
} ControlPlace;

/* A file of the program, and where it was loaded. */
typedef struct {
  uint64_t base;
  char path[CONTROL_MODULE_PATH];
} ControlModule;

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t mode;              /* ControlMode */
  uint32_t process;           /* who took it: 0 until a runtime did */
  uint32_t stop;              /* end the program when the error showed */
  uint32_t wait_for_debugger; /* stop the process when the error showed */
  uint32_t order;             /* which of the two goes first: 0 or 1 */
  uint32_t
      patience; /* milliseconds that one racing thread waits for the other; 0: for ever */
  uint32_t recorded;   /* replaying: milliseconds that the recorded run took */
  uint32_t hold_count; /* 0 or 2 */
  uint32_t step_count, thread_count;
  uint32_t keep_seen;     /* room for ControlSeen[step_count] follows the steps */
  uint32_t stop_followed; /* with `stop`: end the program after the last step, too */
  uint32_t goal;          /* ControlGoal */
  uint32_t goal_thread, goal_count; /* CONTROL_TO_DEADLOCK: so many threads are stuck */
  uint32_t row_count, value_count, log_room;
  uint32_t variation,
      seed;        /* recording: CONTROL_NEW_FIRST, …; for what is random there */
  uint32_t linger; /* milliseconds that the end of the program waits for its threads */
  uint32_t
      follows;     /* all processes of the run: each makes NAME.1, NAME.2, … of its own */
  uint32_t chosen; /* replaying: the number of the process that follows the schedule */
  uint32_t
      clients; /* somebody outside takes part: threads that all wait may wait for that */
  uint32_t spot_count, meeting_room; /* not 0: there is no order, threads are to meet */
  uint32_t keeps;                    /* so often a thread may still be kept */
  ControlHold hold[2];
  char trace[4096]; /* path, when recording */
  /* Answers of the runtime. */
  uint32_t processes;                /* how many came so far; updated atomically */
  char command[256];                 /* the words of the program, or their beginning */
  char program[CONTROL_MODULE_PATH]; /* its file, or nothing when the name is longer */
  uint32_t outcome;                  /* ControlOutcome */
  uint32_t at;                       /* steps done */
  uint32_t diverged_thread, diverged_op;
  uint64_t diverged_pc;
  uint32_t held; /* bits: which of the two were held at some time */
  uint32_t log_count;
  uint32_t stuck_count;
  uint32_t meeting_count;
  ControlPlace places[2]; /* of a race */
  ControlPlace stuck[CONTROL_STUCK];
  ControlModule
      modules[CONTROL_MODULES]; /* when replaying; the path of the last is empty */
  /* ControlThread[thread_count], ControlStep[step_count] and, when asked for,
   * ControlSeen[step_count] follow; of a guided replay ControlRow[row_count],
   * ControlValue[value_count], ControlLog[log_room]; where threads are to meet
   * ControlRow[row_count], ControlMeeting[meeting_room], ControlSpot[spot_count]. */
} Control;

/* What a control file of these numbers needs. */
static inline uint64_t control_size(const Control *c) {
  return sizeof *c + (uint64_t)c->thread_count * sizeof(ControlThread) +
         (uint64_t)c->step_count *
             (sizeof(ControlStep) + (c->keep_seen ? sizeof(ControlSeen) : 0)) +
         (uint64_t)c->row_count * sizeof(ControlRow) +
         (uint64_t)c->value_count * sizeof(ControlValue) +
         (uint64_t)c->log_room * sizeof(ControlLog) +
         (uint64_t)c->meeting_room * sizeof(ControlMeeting) +
         (uint64_t)c->spot_count * sizeof(ControlSpot);
}
static inline ControlThread *control_threads(Control *c) {
  return (ControlThread *)(c + 1);
}
static inline ControlStep *control_steps(Control *c) {
  return (ControlStep *)(control_threads(c) + c->thread_count);
}
static inline ControlSeen *control_seen(Control *c) {
  return (ControlSeen *)(control_steps(c) + c->step_count);
}
static inline ControlRow *control_rows(Control *c) {
  return (ControlRow *)(control_seen(c) + (c->keep_seen ? c->step_count : 0));
}
static inline ControlValue *control_values(Control *c) {
  return (ControlValue *)(control_rows(c) + c->row_count);
}
static inline ControlLog *control_log(Control *c) {
  return (ControlLog *)(control_values(c) + c->value_count);
}
static inline ControlMeeting *control_meetings(Control *c) {
  return (ControlMeeting *)(control_log(c) + c->log_room);
}
static inline ControlSpot *control_spots(Control *c) {
  return (ControlSpot *)(control_meetings(c) + c->meeting_room);
}

#endif
