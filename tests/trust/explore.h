/* An exhaustive explorer of small programs with threads, independent of heddle.
 *
 * A program comes as text, made by tree.py from the same tree as the C source that heddle
 * reads. Every operation is one step and touches shared memory at most once; all
 * interleavings of the steps are followed, under sequential consistency. On the way clocks
 * of C11's happens-before say which accesses race.
 *
 * Where the standards leave room, the program is explored with the fewest and with the
 * most orders (HbMode): what races under the most orders races, what is free of races under the
 * fewest is free of them, and of what lies between nothing is said. The room is: whether one
 * reader's unlock orders another reader, whether atomic sections order anything, and whether a
 * relaxed store carries on the release sequence of its own thread (C17: yes, C23: no). */
#ifndef HEDDLE_TESTS_TRUST_EXPLORE_H
#define HEDDLE_TESTS_TRUST_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

enum {
  MAX_THREADS = 5,
  MAX_REGS = 12,
  MAX_HANDLES = 4,
  MAX_VARS = 10,
  MAX_LOCKS = 4,
  MAX_SITES = 48, /* accesses in the text of the program */
  MAX_OPS = 250,  /* of one function */
  MAX_FUNCS = 6,
};

/* name, number of operands */
#define OPS(X)                                                                           \
  X(mov, 2)                                                                              \
  X(add, 3)                                                                              \
  X(eq, 3)                                                                               \
  X(ne, 3)                                                                               \
  X(lt, 3) X(ge, 3) X(jmp, 1) X(jz, 2) X(nondet, 2) X(ld, 3) X(st, 3) X(ald, 4)          \
      X(ast, 4) X(rmwadd, 5) X(rmwset, 5) X(cas, 8) X(fence, 1) X(lock, 1) X(trylock, 2) \
          X(timedlock, 2) X(unlock, 1) X(rdlock, 1) X(wrlock, 1) X(tryrd, 2) X(trywr, 2) \
              X(rwunlock, 1) X(semwait, 1) X(semtry, 2) X(sempost, 1) X(cwait, 2)        \
                  X(ctimed, 3) X(signal, 1) X(broadcast, 1) X(meet, 2) X(oncein, 2)      \
                      X(onceout, 1) X(secin, 0) X(secout, 0) X(create, 4) X(join, 2)     \
                          X(ret, 0) X(exit, 0) X(assert, 2) X(assume, 1) X(error, 1)

typedef enum {
#define X(name, n) I_##name,
  OPS(X)
#undef X
      I_COUNT
} OpCode;

typedef enum { RELAXED, ACQUIRE, RELEASE, ACQREL, SEQCST } Order;
typedef enum { NORMAL, RECURSIVE, ERRORCHECK } MutexKind;

/* An operand is a number, or register k as REG + k. */
enum { REG = 1000, NO_REG = 999 };

typedef struct {
  OpCode code;
  int a[8];
} Op;

typedef struct {
  int line, var;
  bool write, atomic, section;
} Site;

typedef struct {
  int vars, mutexes, rwlocks, sems, conds, barriers, onces, funcs, sites;
  int8_t init[MAX_VARS];
  MutexKind kind[MAX_LOCKS];
  int sem_init[MAX_LOCKS], barrier_count[MAX_LOCKS];
  Op ops[MAX_FUNCS][MAX_OPS];
  int len[MAX_FUNCS];
  Site site[MAX_SITES];
} Prog;

typedef uint8_t Clock[MAX_THREADS];

typedef enum {
  T_NONE,
  T_RUNS,
  T_WAITS,   /* for a condition, until it is signalled */
  T_RELOCKS, /* was woken, needs its mutex */
  T_BARRIER, /* has arrived */
  T_ENDED
} ThreadState;

typedef struct {
  uint8_t state, func, pc, barrier, section;
  int8_t reg[MAX_REGS];
  uint8_t handle[MAX_HANDLES]; /* thread number */
  Clock clock, released, pending;
} Thread;

typedef struct {
  Thread thread[MAX_THREADS];
  int8_t var[MAX_VARS];
  uint8_t owner[MAX_LOCKS], depth[MAX_LOCKS]; /* 0: free, else thread + 1 */
  uint8_t writer[MAX_LOCKS], readers[MAX_LOCKS][MAX_THREADS];
  uint8_t sem[MAX_LOCKS], arrived[MAX_LOCKS],
      once[MAX_LOCKS]; /* once: 0, thread + 1, 100 */
  uint8_t inside;      /* the thread in an atomic section + 1 */
  Clock of_mutex[MAX_LOCKS], of_write[MAX_LOCKS], of_read[MAX_LOCKS], of_sem[MAX_LOCKS];
  Clock of_once[MAX_LOCKS], of_section, of_var[MAX_VARS];
  uint8_t head[MAX_VARS]; /* the threads whose release sequence it may be, as bits */
  uint8_t when[MAX_THREADS]
              [MAX_SITES]; /* the thread's time at the last access; 0: never */
} State;

typedef enum { HB_NONE, HB_FEWEST, HB_MOST } HbMode;

typedef enum {
  STEP_NORMAL,
  STEP_SPURIOUS, /* nobody can rely on it */
  STEP_END,      /* the program is over */
  STEP_PRUNED,   /* an assumption does not hold */
  STEP_FAILED,   /* an assertion does not hold */
} StepKind;

typedef struct Explorer Explorer;
/* Is told every successor; `line` is that of a failed assertion. */
void explorer_emit(Explorer *e, const State *next, StepKind kind, int thread, int line);
void explorer_race(Explorer *e, int first_site, int second_site);
void explorer_undefined(Explorer *e, const char *what);

/* Reads a program from standard input; false with a line on standard error. */
bool prog_read(Prog *p);

/* Emits all steps that thread t can make; false if it waits. */
bool step_thread(Explorer *e, const Prog *p, HbMode mode, const State *s, int t);
/* Executes operations on registers alone, up to the next that can be noticed. */
void step_local(const Prog *p, State *s, int t);
const Op *step_next(const Prog *p, const State *s, int t);

/* Happens-before. In HB_NONE all of them do nothing. */
void hb_release(HbMode mode, State *s, int t, Clock into); /* into := what t knows */
void hb_add(HbMode mode, State *s, int t, Clock into);     /* into += what t knows */
void hb_acquire(HbMode mode, State *s, int t, const Clock from);
void hb_atomic_load(HbMode mode, State *s, int t, int var, Order order);
void hb_atomic_store(HbMode mode, State *s, int t, int var, Order order, bool rmw);
void hb_fence(HbMode mode, State *s, int t, Order order);
void hb_access(Explorer *e, const Prog *p, HbMode mode, State *s, int t, int site);
/* Gives states that differ only in times that nobody compares one form: so states repeat. */
void hb_canonical(const Prog *p, State *s);

#endif
