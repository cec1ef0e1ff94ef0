/* Flow: what each thread surely holds, and who may run beside it, at every memory access.
 *
 * An abstract interpretation of the whole program, function by function and calling context by
 * calling context. A state knows the values of locals as far as they are constants, addresses
 * or symbols; the locks that are held on every path; the threads that may be alive; the
 * one-time initialisers that have run; and the fresh objects that nobody else can know yet.
 * States with different locks stay apart, so that a test that decided over a lock decides again
 * later.
 *
 * Everything here errs to one side: a lock that is reported is held, a thread that is not
 * reported is not alive. What comes out are accesses and acquisitions with those facts; what
 * follows from them (guarded, ordered, racy) is decided by the engines.
 *
 * Paper: the lock set computation of Mund, Huuck, Fehnker and Artho (Algorithm 1), made
 * interprocedural by contexts instead of inlining, and with locks named by access paths. */
#ifndef HEDDLE_ANALYSIS_FLOW_H
#define HEDDLE_ANALYSIS_FLOW_H

#include "analysis/pointsto.h"
#include "analysis/sharing.h"
#include "base/vec.h"
#include "model/program.h"

#include <stdbool.h>

/* A value: base + index × stride + offset. The base is an object's address, a symbol (some
 * fixed but unknown value), or nothing (a plain number). */
typedef struct {
  uint32_t base;  /* FLOW_OBJECT(o), FLOW_SYMBOL(s), or 0 */
  uint32_t index; /* symbol, or 0 */
  int64_t stride;
  int64_t offset;
  uint8_t known;   /* 0: nothing is known */
  uint8_t nonzero; /* symbols: known to differ from 0 */
  uint8_t unused[6];
} FlowValue;

#define FLOW_OBJECT(o) ((uint32_t)(o) << 1)
#define FLOW_SYMBOL(s) ((uint32_t)(s) << 1 | 1)
static inline bool flow_is_symbol(uint32_t base) {
  return base & 1;
}
static inline uint32_t flow_base_id(uint32_t base) {
  return base >> 1;
}

/* A lock that is surely held. */
typedef struct {
  FlowValue name;
  uint8_t kind;   /* LockKind */
  uint8_t mode;   /* LockMode */
  uint8_t unique; /* the name denotes one lock in the whole run of the program */
  uint8_t depth;  /* of a recursive lock */
  Sym shown;      /* what the source calls it where it is taken */
} FlowLock;

typedef struct {
  FuncId entry; /* 0: any of the functions that code outside of the program may call */
  EdgeId site;  /* CREATE edge; 0 for the main thread */
  bool many;    /* several instances may be alive at once */
  bool own_argument; /* each instance gets a different argument: no two are equal */
  uint64_t
      argument_stride; /* … and, as addresses, they are at least so far apart; 0: unknown */
  FlowValue argument; /* what every creation hands over, in the creator's names */
} FlowThread;

enum {
  FLOW_READ = 1,
  FLOW_WRITE = 2,
  FLOW_ATOMIC = 4, /* C11 or GCC atomic access */
  FLOW_FREE = 8, /* ends the object's life: conflicts like a write of the whole object */
  FLOW_SYNCED = 16,  /* done by the library under the object's own lock */
  FLOW_UNSURE = 32,  /* by a function of which nothing is known */
  FLOW_SECTION = 64, /* inside an atomic section */
  FLOW_LATER = 256,  /* by the library, which does it again at any later time */
  FLOW_BESIDE = 512, /* … in a thread of its own */
  FLOW_WILD = 128,   /* of one of so many objects that none is recorded: the object is
                        AOBJECT_UNKNOWN */
};

enum {
  FLOW_OWN_BASE = 1,  /* the argument plus a constant */
  FLOW_OWN_INDEX = 2, /* an element of an array whose number is the argument */
};

typedef struct {
  EdgeId edge;
  uint32_t thread; /* index in Flow.threads */
  uint32_t kind;   /* FLOW_READ … */
  FlowValue address;
  AObject object;    /* one record for each object that it may touch */
  uint32_t offset;   /* folded byte offset, or OFFSET_ANY */
  bool exact;        /* address.offset is the exact offset in the object */
  uint32_t size;     /* bytes; 0: unknown */
  uint32_t from, to; /* what it may touch: see pointsto_extent */
  bool fresh;        /* nobody else can know the object yet */
  uint32_t
      before; /* not 0: an element, numbered by a loop's counter, that this loop has not
                       yet handed to the thread it creates: the number of that thread + 1 */
  uint32_t
      after;   /* not 0: an element, numbered by a loop's counter, behind the join of the
                       thread with that number: the kind of that thread + 1 */
  uint8_t own; /* FLOW_OWN_…: how the address depends on the thread's argument */
  uint32_t first_lock, lock_count; /* Flow.locks */
  uint32_t alive;                  /* set of threads: flow_set_has */
  uint32_t once_done, once_inside; /* sets of edges' once controls */
} FlowAccess;

/* The taking of a lock, for the order in which locks are taken. */
typedef struct {
  EdgeId edge;
  uint32_t thread;
  FlowLock lock;
  AObject object;
  uint32_t offset;
  uint32_t first_lock, lock_count; /* held before */
  uint32_t alive;
  uint8_t attempt;
  bool again;     /* it is surely held already */
  bool recursive; /* … and may be taken again */
} FlowAcquire;

typedef struct {
  ObjectId object;
  uint32_t offset; /* folded, or OFFSET_ANY */
} FlowWord;

typedef struct Flow Flow;
struct Flow {
  const Program *program;
  const PointsTo *pointsto;
  Sharing *sharing;        /* accesses to private objects are not listed */
  VEC(FlowThread) threads; /* 0 is the main thread */
  VEC(FlowAccess) accesses;
  VEC(FlowAccess)
  things; /* objects of synchronisation: made or destroyed (writes), used (reads) */
  VEC(FlowAcquire) acquires;
  VEC(FlowLock) locks;
  /* Locks are exact when no state was made vaguer: then a lock that is not reported is not
   * held. The two edges are 0 if there is none such. */
  bool exact_locks;
  EdgeId join_with_locks; /* a join of a thread, or of unknown ones, under a lock */
  EdgeId end_with_locks;  /* an end of a thread that holds a lock */
  /* An unlocking by another thread than the one that took the lock; 0: there is none. POSIX
   * leaves open what that does. Where it works, a lock may be handed over to a thread when
   * it is created: then that thread holds it. All others are loose, by unique names: who
   * took such a lock cannot know for how long. */
  EdgeId foreign_unlock;
  /* A call of code of which nothing is known, while that knows functions of the program: it
   * may call them, then and later. 0: there is none. */
  EdgeId calls_back;
  /* A call of a library function (qsort) that calls back one of the program's which ends with
   * other locks held, or other threads running, than it began with: how often it is called is
   * not followed. 0: there is none. */
  EdgeId changed_by_callback;
  /* A call that makes a process while other threads may run, which do not exist there. 0: there is none. */
  EdgeId forks_beside;
  bool hands_over;    /* locks are handed over */
  bool writers_first; /* some read-write lock may keep readers out while a writer waits */
  bool unlocks_any;   /* set by who allows all of it: see engine/foreign.h */
  VEC(FlowValue) loose_locks;
  /* Words that serve as locks (model/word.h) and may be freed, or written over, by who does not hold them. */
  VEC(FlowWord) loose_words;
  bool all_words_loose;
  bool
      complete; /* false: stopped early, or a limit was reached; nothing may be concluded */
  const char *incomplete; /* why not */
  void *internals;
};

Flow *flow_new(const Program *program, const PointsTo *pointsto,
               const volatile int *stop);
void flow_free(Flow *flow);

/* The time is over: whoever works on the result should come to an end. */
bool flow_stopped(const Flow *flow);

/* The two accesses may touch the same byte. */
bool flow_bytes_meet(const FlowAccess *a, const FlowAccess *b);

/* Sets of small numbers are numbered themselves; 0 is the empty set. */
bool flow_set_has(const Flow *flow, uint32_t set, uint32_t element);
bool flow_sets_meet(const Flow *flow, uint32_t a, uint32_t b);
/* Thread `child` was created, directly or not, by `ancestor`. */
bool flow_is_descendant(const Flow *flow, uint32_t child, uint32_t ancestor);
/* Instances of the two may be alive at the same time. */
bool flow_threads_overlap(const Flow *flow, uint32_t a, uint32_t b);
/* Not created by the program but called by the library (a handler): it may run at any time, in
 * any thread. */
bool flow_stands_apart(const Flow *flow, uint32_t thread);
/* Some instance of the thread may execute `function`. */
bool flow_thread_runs(const Flow *flow, uint32_t thread, FuncId function);
/* The object's address is handed to a thread as its argument. */
bool flow_is_thread_argument(const Flow *flow, ObjectId object);
/* Having taken the lock proves nothing, because another thread may unlock it. */
bool flow_lock_is_loose(const Flow *flow, const FlowLock *lock);
/* Both accesses (of different thread instances) may happen at the same time or in either
 * order: nothing of create, join and once orders them. */
bool flow_may_be_parallel(const Flow *flow, uint32_t thread_a, uint32_t alive_a,
                          uint32_t thread_b, uint32_t alive_b);

#endif
