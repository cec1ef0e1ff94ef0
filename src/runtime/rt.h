/* Inside the runtime that is linked into checked programs, or preloaded into others.
 *
 * The runtime is either off (the program runs as it would without it), recording (a trace
 * of what its threads do), or replaying (threads wait for their turn in a schedule).
 * Every wrapped function has the same shape:
 *
 *   RtThread *t = rt_active();           NULL when off
 *   if (!t) return REAL(f)(…);
 *   if (rt_mode == CONTROL_RECORD) { do it; rt_emit(t, …); }
 *   else { op = rt_turn(t, …); do it without blocking; rt_turn_done(t, op); }
 *
 * Nothing here calls a wrapped function: threads are blocked by futexes, memory comes
 * from mmap, and the functions of the C library are found once (rt_real.c). */
#ifndef HEDDLE_RUNTIME_RT_H
#define HEDDLE_RUNTIME_RT_H

#include "trace/format.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

/* Without a way through tables of the linker: the first thing that an access does is to
 * load one of these. */
#pragma GCC visibility push(hidden)

enum {
  RT_LINE = 64,          /* bytes that a line of a thread's cache of accesses is about */
  RT_FEWEST_LINES = 128, /* of the cache at first; it grows where it is too small */
  RT_MOST_LINES = 1 << 17,
  RT_FEW_HELD = 64,      /* locks that a thread holds before there is more room made */
  RT_GUARDS = 64,        /* of static variables that a thread remembers */
  RT_MOST_FRAMES = 4096, /* of a shadow stack; deeper calls are counted only */
  RT_TOLD = 4096,        /* counters of places in the code, by a hash */
  RT_TELLINGS = 16,      /* see rt_is_new_place */
  RT_PLACES = 1024, /* in the code, by a hash: which of the waiting accesses is whose */
  RT_MOST_STILL = 256,   /* threads that are asked for when nothing moves */
  RT_LONGEST_PERIOD = 8, /* events of a round that may be folded */
  RT_PAST = 32,          /* the last events: a power of two, and three rounds at least */
  RT_LOOK = 12,          /* milliseconds from one look at threads that wait to the next */
};

/* The upper bits of a key in the cache count the thread's segments, that is, what lies
 * between two of its events; the lower ones are an address by RT_LINE. */
#define RT_SEGMENT (UINT64_C(1) << 42)

/* Which of RT_LINE bytes in a row the thread did not access yet in a segment: a bit for
 * each. What was written counts as seen. */
typedef struct {
  _Alignas(32) uint64_t key;
  uint64_t unseen, unwritten;
} RtLine;

/* What every access looks at, beside rt_accesses. When the thread does not record, the
 * cache is one line that no address has. */
typedef struct {
  RtLine *cache;
  uint64_t mask;    /* of the offset of a line in the cache */
  uint64_t segment; /* a multiple of RT_SEGMENT */
  int8_t *told;     /* see rt_is_new_place */
} RtQuick;
extern __thread RtQuick rt_quick __attribute__((tls_model("initial-exec")));

typedef struct {
  uintptr_t object, pc;
  uint32_t depth; /* of a recursive mutex */
  bool shared;    /* read lock */
  bool robust;    /* a mutex that the end of its owner releases */
} RtHeld;

/* A function that was entered: who called it, and where on the stack it is. */
typedef struct {
  uintptr_t caller, at;
} RtFrame;

/* Where in its block an event that was recorded lies: first the accesses before it. */
typedef struct {
  uint8_t *begin, *op, *rest, *end;   /* rest: what follows the number */
  uint64_t sequence, sequence_before; /* its number, and that of the one before */
  uint64_t tag;                       /* equal for equal events */
  uintptr_t object;
} RtPast;

/* A mark of rounds that are folded, and how to write it again. */
typedef struct {
  uint8_t *at; /* or NULL: none */
  uint64_t before, number, count;
  uint32_t period;
} RtFold;

/* An access that a thread is about to make. */
typedef struct {
  uintptr_t address, pc;
  size_t size;
  unsigned flags; /* TRACE_WRITE, TRACE_ATOMIC */
} RtReach;

typedef struct RtThread {
  struct RtThread *next; /* in the list of all, newest first */
  uint32_t number;       /* in the trace: 0 is main */
  uint32_t scheduled;    /* in the schedule, or CONTROL_NO_THREAD */
  uint32_t children;     /* created so far */
  uint32_t events;       /* scheduling points passed */
  uint32_t index;        /* which child of its parent it is */
  uint32_t parent;
  int tid;
  pthread_t handle;
  void *(*routine)(void *);
  void *argument;
  sigset_t signals; /* blocked when it begins, once it is known who it is */
  bool ended, joined;
  volatile bool cancelled; /* replay: pthread_cancel was called for it */
  bool may_leave;          /* it is at the beginning of a cancellation point */
  volatile bool busy; /* inside of the runtime: a signal handler must not enter again */
  bool ignoring;
  volatile bool in_atomic; /* recording: has a lock of rt_atomic.c, or is about to */
  unsigned rounds;         /* of destructors still to wait for before the end */
  /* The last event, when it was an atomic load: equal ones that follow are one. */
  uintptr_t loaded, loaded_pc;
  uint64_t loaded_value;
  uint32_t idle, idle_step; /* how often it found nothing new, since which step of all */
  /* Recording. */
  TraceBlock *block;
  uint8_t *at, *limit;
  uint32_t blocks;
  uint64_t last_address, last_access_pc, last_sequence, last_pc, last_object;
  uint8_t *event_end; /* of the last event in the block: accesses follow */
  RtPast past[RT_PAST];
  uint32_t past_end, past_count;
  RtFold fold;
  RtLine *cache;
  int8_t told[RT_TOLD];
  uint32_t evicted; /* lines that others displaced from the cache in this segment */
  /* Accesses that wait in the block: bits say which ones there are; where each would go on;
   * which is to make room next; and which is that of a place. */
  uint32_t waiting;
  uintptr_t next_address[TRACE_PENDING];
  uint8_t oldest;
  uint8_t waiting_of[RT_PLACES];
  /* What it holds and where it is. */
  RtHeld *held;
  uint32_t held_count, held_room;
  RtHeld few_held[RT_FEW_HELD];
  uintptr_t guard;             /* of a static variable that it found not made yet */
  uintptr_t guards[RT_GUARDS]; /* that it knows to be done, by their addresses */
  RtFrame *frames;
  uint32_t depth;
  /* Replay: where its last turns were; a round of them that may be repeated, how much of
   * that is done, and the step that comes behind (+ 1; 0: not looked up). */
  uint32_t turn_places[RT_LONGEST_PERIOD], turns;
  uint32_t round, again, behind;
  bool extra; /* the turn at hand is one of those */
  bool waits; /* inside of the runtime, until another thread does something */
  /* Waiting: for a turn, or for an object. */
  int futex;
  bool blocked;
  uint32_t blocked_op;
  uintptr_t blocked_object, blocked_pc;
  struct RtThread *blocked_thread; /* the one it joins, or that runs what runs once */
  volatile uintptr_t contended;    /* recording: the mutex it waits for */
  int hold; /* which of the two places of a race is its own, or -1 */
  bool held_now;
  /* On the way to a race: the condition variable at which it waits with a limit of time, or 0;
   * the last such wait ended in vain, after so many moves of all; looks at the others in a row
   * at which nothing moved. */
  uintptr_t timed;
  bool polls;
  uint64_t polled, moves_then;
  uint32_t looks;
  RtReach reach; /* where it is kept (rt_meet.c, rt_spot.c) */
  uint32_t spot; /* which place that is, or 0 (rt_spot.c) */
  /* A guided replay: its next step, that which it is taking + 1, its next value. */
  uint32_t step, taking, value;
  /* A compare-exchange that it is about to do, or NULL, and what it expects there. */
  const volatile void *compared;
  uint32_t compared_size;
  uint8_t expected[16];
} RtThread;

extern int rt_mode;     /* ControlMode; never changes back from CONTROL_OFF */
extern int rt_accesses; /* accesses matter: while threads are not joined, or replaying */
extern int rt_threaded; /* a thread was created */
extern Control *rt_control;
extern RtThread *rt_threads; /* guarded by the big lock */
extern __thread RtThread *rt_self __attribute__((tls_model("initial-exec")));

void rt_init(void);
void rt_watch(Control *control); /* begins with what it asks for */
void rt_watch_nothing(void);     /* in a child of fork, where all of it is the parent's */

/* ---- rt_process.c ----------------------------------------------------------------- */

void rt_process_ends(void); /* at its exit */
/* Writes the number and a NUL, without the library. Returns its length. */
size_t rt_put_number(char *at, uint32_t value);

/* The calling thread when the runtime is at work, else NULL. Threads that were not made
 * by a wrapped function are adopted. */
RtThread *rt_adopt(void);
static inline RtThread *rt_active(void) {
  if (__builtin_expect(rt_mode == CONTROL_OFF, 1)) return NULL;
  RtThread *t = rt_self ? rt_self : rt_adopt();
  return t && !t->busy && !t->ended ? t : NULL;
}

#define RT_CALLER ((uintptr_t)__builtin_return_address(0))

/* The same where the caller may be a wrapper of the runtime's own: then its caller. */
extern __thread uintptr_t rt_outer_pc __attribute__((tls_model("initial-exec")));
#define RT_PLACE (rt_outer_pc ? rt_outer_pc : RT_CALLER)

/* The runtime's own way to move bytes: the functions of that name may be wrapped. */
static inline void rt_copy(void *to, const void *from, size_t size) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
static inline size_t rt_length(const char *text) {
  size_t length = 0;
  while (*(const volatile char *)(text + length)) length++;
  return length;
}
static inline void rt_zero(void *to, size_t size) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(0) : "memory");
}

/* ---- rt_core.c -------------------------------------------------------------------- */

/* The one lock of the runtime: the list of threads and all of the replay. Who has it is
 * busy, so that a signal handler does not want it again. */
void rt_lock(void);
void rt_unlock(void);
void rt_futex_wait(int *word, int value);
bool rt_futex_wait_for(int *word, int value, const struct timespec *limit);
void rt_futex_wake(int *word);
void *rt_map(size_t size); /* zeroed; ends the process when there is no memory */
void *rt_map_file(size_t size, int fd, uint64_t offset); /* shared; NULL with errno */
RtThread *rt_thread_new(RtThread *parent);
RtThread *rt_thread_find(pthread_t handle); /* not joined yet; or NULL */
void rt_thread_ended(RtThread *t);
void rt_one_more(void); /* a thread begins: from now on accesses matter */
int rt_tid(void);
void rt_say(const char *text); /* one line on standard error */
/* A signal handler posted a semaphore while its thread was busy in a replay: whoever is
 * busy tells those that wait, when it is done. */
extern int rt_posted;

/* ---- rt_early.c: the heap before the first thread ----------------------------------- */

void rt_early_allocated(uintptr_t address, size_t size, uintptr_t pc);
void rt_early_freed(uintptr_t address);
void rt_early_tell(RtThread *t); /* recording: those that are still there */

/* ---- rt_exit.c -------------------------------------------------------------------- */

void rt_exit_init(void);
void rt_exit_early(void);  /* the first thread is created */
void rt_exit_linger(void); /* the program is about to end: threads may still go on */
void rt_stop(void);        /* ends the process at once */
/* Whether a thread may do something by itself, or waits in the kernel for ever. */
bool rt_goes_on(const RtThread *t);

/* ---- rt_access.c ------------------------------------------------------------------ */

/* An access of any size, when accesses matter. */
void rt_range(uintptr_t address, size_t size, unsigned flags, uintptr_t pc);
/* Whoever signals a condition variable, or begins to wait for it, uses it, and who destroys it
 * ends that: the two must be ordered. Only in programs that heddle built (rt_library.c). */
void rt_condition_used(const void *condition, uintptr_t pc) __attribute__((weak));
void rt_condition_ends(const void *condition, uintptr_t pc) __attribute__((weak));

/* ---- rt_held.c: the locks a thread holds ------------------------------------------ */

/* True when it is the first acquisition: only that is an event. */
bool rt_hold_lock(RtThread *t, uintptr_t object, uintptr_t pc, bool shared);
/* True when it was the last. */
bool rt_drop_lock(RtThread *t, uintptr_t object);
/* The thread ends: what is released by that is. */
void rt_drop_robust(RtThread *t);
/* Recording: the thread is about to wait for a mutex; ends in a report when the owners of
 * what they wait for form a circle. */
void rt_check_circle(RtThread *t, pthread_mutex_t *mutex, uintptr_t pc);
void rt_fill_place(RtThread *t, ControlPlace *place);

/* ---- rt_record.c ------------------------------------------------------------------ */

bool rt_record_open(const char *path);
/* Makes room in a file; an errno when there is none. */
int rt_reserve(int fd, uint64_t offset, uint64_t size);
void rt_emit(RtThread *t, TraceOp op, uintptr_t object, uintptr_t pc, uint64_t a,
             uint64_t b, uint64_t c);
void rt_emit_modules(RtThread *t);
void rt_emit_text(RtThread *t, TraceOp op, uintptr_t object, const char *text);
uint32_t rt_record_new_thread(void); /* its number */
void rt_record_flush(RtThread *t);   /* writes what waits to grow */
void rt_record_close(RtThread *t);   /* the thread records nothing more */
void rt_record_state(uint32_t bits);
void rt_record_peak(void);       /* of the program's memory, for the header */
uint64_t rt_record_events(void); /* how many there were so far */

/* ---- rt_fold.c -------------------------------------------------------------------- */

/* An event was written; `where` has no tag and object yet. */
void rt_fold_event(RtThread *t, TraceOp op, uintptr_t object, uintptr_t pc,
                   const uint64_t *arguments, const RtPast *where);
void rt_fold_forget(RtThread *t); /* what comes now is no round of what was */

/* Where the thread's cache has, or would have, the line of an address. Memory in a row is
 * there in a row as well, which the processor's own caches need; the upper bits keep
 * arrays apart that lie at a power of two from each other. */
static inline RtLine *rt_line(uint64_t number) {
  uint64_t place = number ^ number >> 7 ^ number >> 14;
  return (RtLine *)((char *)rt_quick.cache + (place * sizeof(RtLine) & rt_quick.mask));
}
/* Whether an access is to be told though the segment had all of its bytes, since another place
 * in the code may have accessed them then: the first RT_TELLINGS times that this happens to a
 * thread at a place. The counters go up to 0; places may share one. */
static inline unsigned rt_told(uintptr_t pc) {
  return (unsigned)((pc ^ pc >> 12) % RT_TOLD);
}
static inline bool rt_is_new_place(uintptr_t pc) {
  return rt_quick.told[rt_told(pc)] < 0;
}

/* ---- rt_fresh.c ------------------------------------------------------------------- */

/* An access of up to 16 bytes inside of a line that the cache has, but not all of these
 * bytes. */
void rt_emit_fresh(RtLine *line, uintptr_t address, unsigned size_and_flags,
                   uintptr_t pc);
/* The same when it has all of these bytes, but the place is new. */
void rt_emit_again(uintptr_t address, unsigned size_and_flags, uintptr_t pc);
/* One whose line the cache does not have, or that lies in two lines. */
void rt_emit_small(uintptr_t address, unsigned size_and_flags, uintptr_t pc);
/* One of any size. */
void rt_emit_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc);
void rt_cache_new(RtThread *t);
void rt_cache_use(RtThread *t); /* by the thread itself, before its first access */
void rt_cache_free(RtThread *t);

/* ---- rt_replay.c ------------------------------------------------------------------ */

/* Waits until it is the thread's turn for `op` (or `other`, unless TRACE_NONE). Returns
 * which of the two, or TRACE_NONE when the schedule is over. The big lock is held on
 * return, until rt_turn_done. When neither is next, the replay ends. */
TraceOp rt_turn(RtThread *t, TraceOp op, TraceOp other, uintptr_t pc);
void rt_turn_done(RtThread *t, TraceOp turn);
/* The thread was cancelled, and may be right now. What the C library calls a cancellation
 * point has to leave then, by pthread_testcancel without the big lock. */
bool rt_cancelled(RtThread *t);
bool rt_await_cancel(RtThread *t); /* the same; it may come a little later */
/* Acts on it: does not return then. Big lock held before and after. */
void rt_leave(RtThread *t);
/* As rt_turn, at the beginning of a cancellation point. */
TraceOp rt_turn_or_leave(RtThread *t, TraceOp op, uintptr_t pc);
/* The thread cannot do what its step says: the replay ends. Returns TRACE_NONE. */
TraceOp rt_astray(RtThread *t, TraceOp op, uintptr_t pc);
void rt_replay_thread(RtThread *t); /* finds its number in the schedule */
bool rt_replay_scheduled(void);     /* steps are left */
ControlSeen *rt_replay_seen(void);  /* room for what the current step is, or NULL */
void rt_replay_modules(void);       /* tells them to the control file */

/* ---- rt_stuck.c: who waits for what ----------------------------------------------- */

/* Something was released: who waits for an object may try again. Big lock held. */
void rt_retry(void);
/* The thread cannot go on before something is released. Big lock held before and after.
 * Reports when no thread of a set can ever go on. */
void rt_block(RtThread *t, TraceOp turn, TraceOp op, uintptr_t object, uintptr_t pc);
/* A thread that the runtime knows holds it. Big lock held. */
bool rt_is_held(uintptr_t object);
/* Lets others do something for a moment. Big lock held before and after. */
void rt_pause(void);
uint64_t rt_milliseconds(void);

/* ---- rt_race.c: threads that are held before their accesses ----------------------- */

extern int rt_first_gone; /* of a race that showed: 1 the first is passing, 2 it passed */
/* Before an access in a replay. */
void rt_replay_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                      uintptr_t pc);
/* A thread passed a scheduling point or ended: the other racing one may go on. */
void rt_replay_passed(RtThread *t);
/* The thread waits in a loop for another value of an atomic variable. */
void rt_replay_repeats(RtThread *t, uintptr_t pc);
/* The thread has slept for a slice in a futex of the program, whose value did not change. */
void rt_replay_sleeps(RtThread *t, uintptr_t pc);
/* The program is about to end: waits for what the schedule still has. */
void rt_replay_exit(RtThread *t);
/* For rt_meet.c: where the thread, which is held, stands; both stand there. Big lock held. */
void rt_replay_note(RtThread *t, const RtReach *reach);
void rt_replay_showed(void);
/* What an access of the thread is now: a compare-exchange that would fail only reads. */
unsigned rt_flags_now(const RtThread *t, unsigned flags);

/* ---- rt_meet.c: races between whoever comes --------------------------------------- */

static inline bool rt_meets(void) {
  return rt_mode == CONTROL_REPLAY && rt_control->hold_count == 2 &&
         rt_control->hold[0].thread == CONTROL_NO_THREAD;
}
bool rt_reaches_meet(const RtReach *a, const RtReach *b); /* they would race */
void rt_meet_access(RtThread *t, const RtReach *reach);
void rt_meet_exit(RtThread *t);

/* ---- rt_spot.c: races between whoever comes to any of many places ------------------- */

static inline bool rt_has_spots(void) {
  return rt_mode == CONTROL_REPLAY && rt_control->spot_count;
}
void rt_spot_access(RtThread *t, const RtReach *reach);
void rt_spot_exit(RtThread *t);
/* Of the call that returns to `pc`; 0: none that the control file knows. */
uint32_t rt_place_of(uintptr_t pc);

/* For rt_guide.c, which shares the turns, the holds and the end with it. Big lock held. */
extern uint32_t rt_next_step;
void rt_replay_tell(ControlOutcome outcome);
void rt_replay_diverge(RtThread *t, TraceOp op, uintptr_t pc);
void rt_replay_wake_next(void); /* whose step is the next one; at the end everybody */
bool rt_replay_sleep(RtThread *t, uint32_t milliseconds); /* false: the time is over */
void rt_replay_wake(RtThread *t);
void rt_replay_wake_all(void);
uint64_t rt_replay_moves(void); /* what was done so far: */
void rt_replay_moved(void);     /* something was */
/* Asked at every RT_LOOK: nothing has happened for some looks, and nothing will, unless
 * `me` goes on. */
bool rt_stands_still(RtThread *me);
/* Holds the thread before its racing access until the race has shown. */
void rt_replay_hold(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc);

/* ---- rt_guide.c: replays of what was worked out from a model ---------------------- */

static inline bool rt_is_guided(void) {
  return rt_mode == CONTROL_REPLAY && rt_control->goal != CONTROL_NO_GOAL;
}
/* As rt_turn and what is between it and rt_turn_done. */
TraceOp rt_guide_turn(RtThread *t, TraceOp op, TraceOp other, uintptr_t pc);
void rt_guide_done(RtThread *t, TraceOp turn); /* the big lock stays held */
void rt_guide_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                     uintptr_t pc);
/* What a function of the thread library does to memory of the program; recorded runs leave
 * it out, guides have it. */
void rt_guide_touch(const void *memory, size_t size, unsigned flags, uintptr_t pc);
/* Something happened that orders threads: for the log. Big lock held. */
void rt_guide_log(RtThread *t, unsigned op, uintptr_t object, uint64_t size,
                  unsigned order, unsigned flags);
void rt_guide_failed(uintptr_t pc); /* an assertion; does not return in a guided replay */
void rt_guide_exit(void);           /* the program is about to end */
uint64_t rt_guide_value(void);
void rt_guide_refuse(uintptr_t pc); /* an assumption does not hold */

/* ---- rt_object.c, rt_once.c ------------------------------------------------------- */

/* Replay: objects in this memory end; what comes there later is new. */
void rt_objects_end(uintptr_t address, size_t size);

/* Replay: what runs once, at an address. */
typedef struct {
  enum { RT_ONCE_RUNS = 1, RT_ONCE_DONE } state; /* 0: not yet */
  RtThread *runner;
} RtOnce;
RtOnce *rt_once(const void *address); /* big lock held */
/* Waits until nobody is running it. Big lock held. */
void rt_once_await(RtThread *t, RtOnce *once, TraceOp turn, uintptr_t object,
                   uintptr_t pc);
void rt_once_begin(RtThread *t, RtOnce *once, TraceOp turn); /* instead of rt_turn_done */
void rt_once_end(RtThread *t, RtOnce *once, uintptr_t pc);
void rt_once_give_up(RtOnce *once); /* it was left before its end */

/* ---- rt_outside.c ------------------------------------------------------------------ */

/* Whether somebody other than these threads, all of which wait, might release them. */
ControlOutside rt_outside(const RtThread *const *set, uint32_t count);
/* The object lies in memory that other processes may have. */
bool rt_outside_shares(uintptr_t object);

/* ---- rt_event.c ------------------------------------------------------------------- */

void rt_tell_event_kinds(RtThread *t); /* recording: those that the program has */

/* ---- rt_futex.c ------------------------------------------------------------------- */

/* The kernel's own answer: -errno when it fails. */
static inline long rt_system(long number, long a, long b, long c, long d, long e,
                             long f) {
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return number;
}

/* ---- rt_means.c ------------------------------------------------------------------- */

/* Recording: the thread is about to tell others something through a descriptor; it came
 * back from a call that may have waited for that. */
void rt_give(int fd, uintptr_t pc);
void rt_take(int fd, uintptr_t pc);

/* ---- rt_vary.c: schedules of a recorded run --------------------------------------- */

void rt_vary_process(void);                  /* it begins */
void rt_vary_created(const RtThread *child); /* by its creator */
void rt_vary_begins(void);                   /* by a new thread */
void rt_vary_event(RtThread *t);             /* behind a synchronisation */

static inline void rt_unmap(void *at, size_t size) {
  rt_system(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
}

/* ---- rt_real.c -------------------------------------------------------------------- */

void rt_find_real(void);
extern bool rt_real_found;

#define RT_REAL_FUNCTIONS(X)                                                             \
  X(int, pthread_create,                                                                 \
    (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))                    \
  X(int, pthread_join, (pthread_t, void **))                                             \
  X(int, pthread_tryjoin_np, (pthread_t, void **))                                       \
  X(int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *))            \
  X(int, pthread_cancel, (pthread_t))                                                    \
  X(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *)) \
  X(int, pthread_detach, (pthread_t))                                                    \
  X(int, pthread_mutex_init, (pthread_mutex_t *, const pthread_mutexattr_t *))           \
  X(int, pthread_mutex_destroy, (pthread_mutex_t *))                                     \
  X(int, pthread_mutex_lock, (pthread_mutex_t *))                                        \
  X(int, pthread_mutex_trylock, (pthread_mutex_t *))                                     \
  X(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *))          \
  X(int, pthread_mutex_clocklock,                                                        \
    (pthread_mutex_t *, clockid_t, const struct timespec *))                             \
  X(int, pthread_mutex_unlock, (pthread_mutex_t *))                                      \
  X(int, pthread_spin_init, (pthread_spinlock_t *, int))                                 \
  X(int, pthread_spin_destroy, (pthread_spinlock_t *))                                   \
  X(int, pthread_spin_lock, (pthread_spinlock_t *))                                      \
  X(int, pthread_spin_trylock, (pthread_spinlock_t *))                                   \
  X(int, pthread_spin_unlock, (pthread_spinlock_t *))                                    \
  X(int, pthread_rwlock_init, (pthread_rwlock_t *, const pthread_rwlockattr_t *))        \
  X(int, pthread_rwlock_destroy, (pthread_rwlock_t *))                                   \
  X(int, pthread_rwlock_rdlock, (pthread_rwlock_t *))                                    \
  X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *))                                 \
  X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *))      \
  X(int, pthread_rwlock_clockrdlock,                                                     \
    (pthread_rwlock_t *, clockid_t, const struct timespec *))                            \
  X(int, pthread_rwlock_clockwrlock,                                                     \
    (pthread_rwlock_t *, clockid_t, const struct timespec *))                            \
  X(int, pthread_rwlock_wrlock, (pthread_rwlock_t *))                                    \
  X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *))                                 \
  X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *))      \
  X(int, pthread_rwlock_unlock, (pthread_rwlock_t *))                                    \
  X(int, pthread_cond_init, (pthread_cond_t *, const pthread_condattr_t *))              \
  X(int, pthread_cond_destroy, (pthread_cond_t *))                                       \
  X(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))                       \
  X(int, pthread_cond_timedwait,                                                         \
    (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))                      \
  X(int, pthread_cond_clockwait,                                                         \
    (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))           \
  X(int, pthread_cond_signal, (pthread_cond_t *))                                        \
  X(int, pthread_cond_broadcast, (pthread_cond_t *))                                     \
  X(int, pthread_barrier_init,                                                           \
    (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))                      \
  X(int, pthread_barrier_destroy, (pthread_barrier_t *))                                 \
  X(int, pthread_barrier_wait, (pthread_barrier_t *))                                    \
  X(int, pthread_once, (pthread_once_t *, void (*)(void)))                               \
  X(int, sem_init, (RtSem *, int, unsigned))                                             \
  X(RtSem *, sem_open, (const char *, int, ...))                                         \
  X(int, sem_destroy, (RtSem *))                                                         \
  X(int, sem_wait, (RtSem *))                                                            \
  X(int, sem_trywait, (RtSem *))                                                         \
  X(int, sem_timedwait, (RtSem *, const struct timespec *))                              \
  X(int, sem_clockwait, (RtSem *, clockid_t, const struct timespec *))                   \
  X(int, sem_post, (RtSem *))                                                            \
  X(void *, memmove, (void *, const void *, size_t))                                     \
  X(void *, memset, (void *, int, size_t))                                               \
  X(void *, dlopen, (const char *, int))                                                 \
  X(void, abort, (void))                                                                 \
  X(void, __assert_fail, (const char *, const char *, unsigned, const char *))           \
  X(unsigned, sleep, (unsigned))                                                         \
  X(int, usleep, (unsigned))                                                             \
  X(int, nanosleep, (const struct timespec *, struct timespec *))                        \
  X(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))

typedef sem_t RtSem;

#define X(type, name, parameters) extern type(*rt_real_##name) parameters;
RT_REAL_FUNCTIONS(X)
#undef X

#pragma GCC visibility pop

/* The C library's own function. Libraries may call before the runtime's constructor. */
#define REAL(name) (rt_real_found ? (void)0 : rt_find_real(), rt_real_##name)

#endif
