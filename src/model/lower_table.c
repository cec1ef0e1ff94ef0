/* The rows of lower.h.
 *
 * Rows of one operation stand together, in the order of op.h. The guards of rows that differ
 * in what they do exclude each other, save where the standards leave a choice: a thread may
 * not be had, a deadline may be malformed (EINVAL), a sleeping thread may wake for no reason,
 * time may pass.
 *
 * What is not said here is not promised by POSIX either: who gets a lock first, and which of
 * the threads at a barrier is the chosen one. Here it is the last that arrives, as in the
 * interpreter; an engine that proves must let it be any of them. */
#include "model/lower.h"

#include <errno.h>

/* ---- words of the table ---- */

#define IS(whose, ghost, value) {REL_EQ, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define ISNT(whose, ghost, value)                                                        \
  {REL_NE, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define OVER(whose, ghost, value)                                                        \
  {REL_GT, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define UNDER(whose, ghost, value)                                                       \
  {REL_LT, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define MINE(whose)          {REL_EQ, OF_##whose, GHOST_OWNER, TERM_SELF, 0}
#define NOT_MINE(whose)      {REL_NE, OF_##whose, GHOST_OWNER, TERM_SELF, 0}
#define OPERAND_IS(value)    {REL_EQ, OF_TERM, TERM_OPERAND, TERM_NUMBER, (value)}
#define OPERAND_ISNT(value)  {REL_NE, OF_TERM, TERM_OPERAND, TERM_NUMBER, (value)}
#define OPERAND_OVER(value)  {REL_GT, OF_TERM, TERM_OPERAND, TERM_NUMBER, (value)}
#define OPERAND_UNDER(value) {REL_LT, OF_TERM, TERM_OPERAND, TERM_NUMBER, (value)}
#define OF_MYSELF            {REL_EQ, OF_TERM, TERM_THREAD, TERM_SELF, 0}
#define OF_ANOTHER           {REL_NE, OF_TERM, TERM_THREAD, TERM_SELF, 0}

#define SET(whose, ghost, value)                                                         \
  {CHANGE_SET, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define SET_TO(whose, ghost, term) {CHANGE_SET, OF_##whose, GHOST_##ghost, TERM_##term, 0}
#define ADD(whose, ghost, value)                                                         \
  {CHANGE_ADD, OF_##whose, GHOST_##ghost, TERM_NUMBER, (value)}
#define RESET(whose) {CHANGE_RESET, OF_##whose, 0, 0, 0}
#define TAKE(whose)  SET_TO(whose, OWNER, SELF), ADD(whose, COUNT, 1)
#define GIVE(whose)  SET(whose, OWNER, 0), SET(whose, COUNT, 0)

#define WHEN(...)       .guards = {__VA_ARGS__}
#define DO(...)         .changes = {__VA_ARGS__}
#define RETURNS(result) .end = ENDS_RESULT, .outcome = RESULT_##result
#define FAILS(number)   .end = ENDS_RESULT, .outcome = RESULT_ERROR, .error = (number)
#define CANCELLED       .end = ENDS_CANCELLED
#define UNDEFINED       .end = ENDS_UNDEFINED
#define SLEEPS          .next = LOWER_SLEEPS
#define WAKES(whom)     .wake = WAKE_##whom
#define ACQUIRES(whose) .acquires = 1 + OF_##whose
#define RELEASES(whose) .releases = 1 + OF_##whose

#define AT(op_name) .op = OP_##op_name, .phases = LOWER_START
#define TRIED       .attempts = 1 << ATTEMPT_TRY
#define TIMED       .attempts = 1 << ATTEMPT_TIMED
#define NOT_TRIED   .attempts = 1 << ATTEMPT_BLOCK | 1 << ATTEMPT_TIMED
#define EXCLUSIVE   .modes = 1 << MODE_EXCLUSIVE | 1 << MODE_ANY
#define SHARED      .modes = 1 << MODE_SHARED
#define MUTEX       .locks = 1 << LOCK_MUTEX
#define RW          .locks = 1 << LOCK_RW
#define NO_MUTEX    .locks = 1 << LOCK_SPIN | 1 << LOCK_RECURSIVE
/* Rows for the beginning and for the end of the time that a thread may wait. */
#define LOCKING .op = OP_LOCK, .phases = LOWER_START | LOWER_LATE
/* The three ways in which a timed operation that cannot go on goes on. */
#define LATE(op_name, ...)                                                               \
  {AT(op_name), TIMED, __VA_ARGS__, SLEEPS},                                             \
      {AT(op_name), TIMED, __VA_ARGS__, FAILS(EINVAL)}, {                                \
    .op = OP_##op_name, .phases = LOWER_LATE, TIMED, __VA_ARGS__, RETURNS(TIMEOUT)       \
  }
#define TIME_PASSES(op_name, ...)                                                        \
  {.op = OP_##op_name,                                                                   \
   .phases = LOWER_SLEEPS,                                                               \
   .cause = CAUSE_TIME,                                                                  \
   TIMED,                                                                                \
   __VA_ARGS__,                                                                          \
   .next = LOWER_LATE}

// clang-format off
static const LowerRow rows[] = {
    /* ---- threads ---- */
    {AT(CREATE), RETURNS(OK)},
    {AT(CREATE), RETURNS(ERROR)}, /* the system has no room for one more */

    {.op = OP_JOIN, .phases = LOWER_START | LOWER_LATE, NOT_TRIED,
     WHEN(IS(SELF, CANCEL, 1)), CANCELLED},
    {AT(JOIN), TRIED, WHEN(IS(THREAD, KNOWN, 0)), RETURNS(ERROR)},
    {AT(JOIN), NOT_TRIED, WHEN(IS(SELF, CANCEL, 0), IS(THREAD, KNOWN, 0)), RETURNS(ERROR)},
    {AT(JOIN), TRIED, WHEN(IS(THREAD, KNOWN, 1), OF_MYSELF), FAILS(EDEADLK)},
    {AT(JOIN), NOT_TRIED, WHEN(IS(SELF, CANCEL, 0), IS(THREAD, KNOWN, 1), OF_MYSELF),
     FAILS(EDEADLK)},
    {AT(JOIN), WHEN(IS(THREAD, KNOWN, 1), OF_ANOTHER, IS(THREAD, DETACHED, 1)), UNDEFINED},
    {AT(JOIN), WHEN(IS(THREAD, KNOWN, 1), OF_ANOTHER, IS(THREAD, JOINED, 1)), UNDEFINED},
    {AT(JOIN), TRIED,
     WHEN(OF_ANOTHER, IS(THREAD, ENDED, 1), IS(THREAD, DETACHED, 0), IS(THREAD, JOINED, 0)),
     DO(SET(THREAD, JOINED, 1)), ACQUIRES(THREAD), RETURNS(OK)},
    {.op = OP_JOIN, .phases = LOWER_START | LOWER_LATE, NOT_TRIED,
     WHEN(IS(SELF, CANCEL, 0), OF_ANOTHER, IS(THREAD, ENDED, 1), IS(THREAD, DETACHED, 0),
          IS(THREAD, JOINED, 0)),
     DO(SET(THREAD, JOINED, 1)), ACQUIRES(THREAD), RETURNS(OK)},
    {AT(JOIN), TRIED, WHEN(IS(THREAD, KNOWN, 1), OF_ANOTHER, IS(THREAD, ENDED, 0)),
     RETURNS(BUSY)},
    LATE(JOIN, WHEN(IS(SELF, CANCEL, 0), IS(THREAD, KNOWN, 1), OF_ANOTHER,
                    IS(THREAD, ENDED, 0), IS(THREAD, DETACHED, 0))),
    TIME_PASSES(JOIN, WHEN({0})),

    {AT(DETACH), WHEN(IS(THREAD, KNOWN, 0)), FAILS(ESRCH)},
    {AT(DETACH), WHEN(IS(THREAD, KNOWN, 1), IS(THREAD, JOINED, 1)), FAILS(ESRCH)},
    {AT(DETACH), WHEN(IS(THREAD, KNOWN, 1), IS(THREAD, JOINED, 0), IS(THREAD, DETACHED, 1)),
     FAILS(EINVAL)},
    {AT(DETACH), WHEN(IS(THREAD, KNOWN, 1), IS(THREAD, JOINED, 0), IS(THREAD, DETACHED, 0)),
     DO(SET(THREAD, DETACHED, 1)), RETURNS(OK)},

    {AT(EXIT_THREAD), DO(SET(SELF, ENDED, 1)), WAKES(RETRY), CANCELLED},
    {AT(SELF), RETURNS(OK)},

    {AT(CANCEL), WHEN(IS(THREAD, KNOWN, 0)), RETURNS(ERROR)},
    {AT(CANCEL), WHEN(IS(THREAD, KNOWN, 1), IS(THREAD, JOINED, 1)), RETURNS(ERROR)},
    {AT(CANCEL), WHEN(IS(THREAD, KNOWN, 1), IS(THREAD, JOINED, 0)),
     DO(SET(THREAD, CANCEL, 1)), WAKES(CANCEL), RETURNS(OK)},
    {AT(CANCEL_POINT), WHEN(IS(SELF, CANCEL, 0)), RETURNS(OK)},
    {AT(CANCEL_POINT), WHEN(IS(SELF, CANCEL, 1)), CANCELLED},

    /* ---- locks ---- */
    {AT(LOCK_INIT), DO(RESET(A), SET_TO(A, TYPE, TYPE), SET_TO(A, ROBUST, ROBUST)),
     RETURNS(OK)},

    {LOCKING, EXCLUSIVE, WHEN(IS(A, OWNER, 0), IS(A, READERS, 0), UNDER(A, ROBUST, ROBUST_OWNER_DEAD)),
     DO(TAKE(A)), ACQUIRES(A), RETURNS(OK)},
    {LOCKING, EXCLUSIVE, WHEN(IS(A, OWNER, 0), IS(A, READERS, 0), IS(A, ROBUST, ROBUST_OWNER_DEAD)),
     DO(TAKE(A), SET(A, ROBUST, ROBUST_UNREPAIRED)), ACQUIRES(A), FAILS(EOWNERDEAD)},
    {LOCKING, WHEN(IS(A, OWNER, 0), IS(A, ROBUST, ROBUST_LOST)), FAILS(ENOTRECOVERABLE)},
    {LOCKING, SHARED, WHEN(IS(A, OWNER, 0)), DO(ADD(A, READERS, 1), ADD(A, READS, 1)),
     ACQUIRES(A), RETURNS(OK)},
    {LOCKING, EXCLUSIVE, WHEN(MINE(A), IS(A, TYPE, MUTEX_RECURSIVE)), DO(ADD(A, COUNT, 1)),
     ACQUIRES(A), RETURNS(OK)},
    {LOCKING, NOT_TRIED, MUTEX, WHEN(MINE(A), IS(A, TYPE, MUTEX_ERRORCHECK)),
     FAILS(EDEADLK)},
    {LOCKING, NOT_TRIED, RW, WHEN(MINE(A)), FAILS(EDEADLK)},
    {AT(LOCK), TRIED, WHEN(MINE(A), ISNT(A, TYPE, MUTEX_RECURSIVE)), RETURNS(BUSY)},
    {AT(LOCK), TRIED, WHEN(NOT_MINE(A), ISNT(A, OWNER, 0)), RETURNS(BUSY)},
    {AT(LOCK), TRIED, EXCLUSIVE, WHEN(IS(A, OWNER, 0), OVER(A, READERS, 0)), RETURNS(BUSY)},
    LATE(LOCK, WHEN(NOT_MINE(A), ISNT(A, OWNER, 0))),
    LATE(LOCK, EXCLUSIVE, WHEN(IS(A, OWNER, 0), OVER(A, READERS, 0))),
    LATE(LOCK, MUTEX, WHEN(MINE(A), IS(A, TYPE, MUTEX_NORMAL))),
    TIME_PASSES(LOCK, WHEN({0})),

    {AT(UNLOCK), WHEN(MINE(A), OVER(A, COUNT, 1)), DO(ADD(A, COUNT, -1)), RETURNS(OK)},
    {AT(UNLOCK), WHEN(MINE(A), IS(A, COUNT, 1), ISNT(A, ROBUST, ROBUST_UNREPAIRED)),
     DO(GIVE(A)), WAKES(RETRY), RELEASES(A), RETURNS(OK)},
    {AT(UNLOCK), WHEN(MINE(A), IS(A, COUNT, 1), IS(A, ROBUST, ROBUST_UNREPAIRED)),
     DO(GIVE(A), SET(A, ROBUST, ROBUST_LOST)), WAKES(RETRY), RELEASES(A), RETURNS(OK)},
    {AT(UNLOCK), RW, WHEN(NOT_MINE(A), OVER(A, READS, 0)),
     DO(ADD(A, READS, -1), ADD(A, READERS, -1)), WAKES(RETRY), RELEASES(A), RETURNS(OK)},
    {AT(UNLOCK), RW, WHEN(NOT_MINE(A), IS(A, READS, 0)), UNDEFINED},
    {AT(UNLOCK), MUTEX, WHEN(NOT_MINE(A), ISNT(A, TYPE, MUTEX_NORMAL)), FAILS(EPERM)},
    {AT(UNLOCK), MUTEX, WHEN(NOT_MINE(A), IS(A, TYPE, MUTEX_NORMAL)), UNDEFINED},
    {AT(UNLOCK), NO_MUTEX, WHEN(NOT_MINE(A)), UNDEFINED},

    {AT(LOCK_DESTROY), WHEN(IS(A, OWNER, 0), IS(A, READERS, 0)), DO(RESET(A)), RETURNS(OK)},
    {AT(LOCK_DESTROY), WHEN(ISNT(A, OWNER, 0)), FAILS(EBUSY)},
    {AT(LOCK_DESTROY), WHEN(IS(A, OWNER, 0), OVER(A, READERS, 0)), FAILS(EBUSY)},

    /* ---- condition variables ---- */
    {AT(COND_INIT), DO(RESET(A)), RETURNS(OK)},

    {AT(WAIT), WHEN(IS(SELF, CANCEL, 1)), CANCELLED},
    {AT(WAIT), WHEN(IS(SELF, CANCEL, 0), NOT_MINE(LOCK), ISNT(LOCK, TYPE, MUTEX_NORMAL)),
     FAILS(EPERM)},
    {AT(WAIT), WHEN(IS(SELF, CANCEL, 0), NOT_MINE(LOCK), IS(LOCK, TYPE, MUTEX_NORMAL)),
     UNDEFINED},
    {AT(WAIT), TIMED, WHEN(IS(SELF, CANCEL, 0), MINE(LOCK)), FAILS(EINVAL)},
    {AT(WAIT), WHEN(IS(SELF, CANCEL, 0), MINE(LOCK), OVER(LOCK, COUNT, 1)),
     DO(ADD(LOCK, COUNT, -1), ADD(A, WAITERS, 1)), SLEEPS},
    {AT(WAIT),
     WHEN(IS(SELF, CANCEL, 0), MINE(LOCK), IS(LOCK, COUNT, 1),
          ISNT(LOCK, ROBUST, ROBUST_UNREPAIRED)),
     DO(GIVE(LOCK), ADD(A, WAITERS, 1)), WAKES(RETRY_LOCK), RELEASES(LOCK), SLEEPS},
    {AT(WAIT),
     WHEN(IS(SELF, CANCEL, 0), MINE(LOCK), IS(LOCK, COUNT, 1),
          IS(LOCK, ROBUST, ROBUST_UNREPAIRED)),
     DO(GIVE(LOCK), SET(LOCK, ROBUST, ROBUST_LOST), ADD(A, WAITERS, 1)), WAKES(RETRY_LOCK),
     RELEASES(LOCK), SLEEPS},
    {.op = OP_WAIT, .phases = LOWER_SLEEPS, .cause = CAUSE_SPURIOUS,
     DO(ADD(A, WAITERS, -1)), .next = LOWER_WOKEN},
    TIME_PASSES(WAIT, DO(ADD(A, WAITERS, -1))),
    {.op = OP_WAIT, .phases = LOWER_WOKEN,
     WHEN(IS(SELF, CANCEL, 0), IS(LOCK, OWNER, 0), IS(LOCK, READERS, 0)), DO(TAKE(LOCK)),
     ACQUIRES(LOCK), RETURNS(OK)},
    {.op = OP_WAIT, .phases = LOWER_LATE,
     WHEN(IS(SELF, CANCEL, 0), IS(LOCK, OWNER, 0), IS(LOCK, READERS, 0)), DO(TAKE(LOCK)),
     ACQUIRES(LOCK), RETURNS(TIMEOUT)},
    {.op = OP_WAIT, .phases = LOWER_WOKEN,
     WHEN(IS(SELF, CANCEL, 0), MINE(LOCK), ISNT(LOCK, TYPE, MUTEX_NORMAL)),
     DO(ADD(LOCK, COUNT, 1)), ACQUIRES(LOCK), RETURNS(OK)},
    {.op = OP_WAIT, .phases = LOWER_LATE,
     WHEN(IS(SELF, CANCEL, 0), MINE(LOCK), ISNT(LOCK, TYPE, MUTEX_NORMAL)),
     DO(ADD(LOCK, COUNT, 1)), ACQUIRES(LOCK), RETURNS(TIMEOUT)},
    {.op = OP_WAIT, .phases = LOWER_WOKEN | LOWER_LATE,
     WHEN(IS(SELF, CANCEL, 1), IS(LOCK, OWNER, 0), IS(LOCK, READERS, 0)), DO(TAKE(LOCK)),
     ACQUIRES(LOCK), CANCELLED},
    {.op = OP_WAIT, .phases = LOWER_WOKEN | LOWER_LATE,
     WHEN(IS(SELF, CANCEL, 1), MINE(LOCK), ISNT(LOCK, TYPE, MUTEX_NORMAL)),
     DO(ADD(LOCK, COUNT, 1)), ACQUIRES(LOCK), CANCELLED},

    {AT(SIGNAL), WHEN(IS(A, WAITERS, 0)), RETURNS(OK)},
    {AT(SIGNAL), WHEN(OVER(A, WAITERS, 0)), DO(ADD(A, WAITERS, -1)), WAKES(ONE), RETURNS(OK)},
    {AT(BROADCAST), DO(SET(A, WAITERS, 0)), WAKES(ALL), RETURNS(OK)},
    {AT(COND_DESTROY), WHEN(IS(A, WAITERS, 0)), DO(RESET(A)), RETURNS(OK)},
    {AT(COND_DESTROY), WHEN(OVER(A, WAITERS, 0)), UNDEFINED},

    /* ---- barriers ---- */
    {AT(BARRIER_INIT), WHEN(OPERAND_IS(0)), FAILS(EINVAL)},
    {AT(BARRIER_INIT), WHEN(OPERAND_ISNT(0)),
     DO(RESET(A), SET_TO(A, SIZE, OPERAND), SET_TO(A, MISSING, OPERAND)), RETURNS(OK)},
    {AT(BARRIER_WAIT), WHEN(IS(A, SIZE, 0)), UNDEFINED},
    {AT(BARRIER_WAIT), WHEN(OVER(A, SIZE, 0), OVER(A, MISSING, 1)), DO(ADD(A, MISSING, -1)),
     RELEASES(A), SLEEPS},
    {AT(BARRIER_WAIT), WHEN(OVER(A, SIZE, 0), IS(A, MISSING, 1)), DO(SET_TO(A, MISSING, SIZE)),
     WAKES(ALL), RELEASES(A), ACQUIRES(A), RETURNS(SPECIAL)},
    {.op = OP_BARRIER_WAIT, .phases = LOWER_WOKEN, ACQUIRES(A), RETURNS(OK)},
    {AT(BARRIER_DESTROY), WHEN({REL_EQ, OF_A, GHOST_MISSING, TERM_SIZE, 0}), DO(RESET(A)),
     RETURNS(OK)},
    {AT(BARRIER_DESTROY), WHEN({REL_NE, OF_A, GHOST_MISSING, TERM_SIZE, 0}), UNDEFINED},

    /* ---- semaphores ---- */
    {AT(SEM_INIT), WHEN(OPERAND_OVER(SEM_VALUE_MOST)), FAILS(EINVAL)},
    {AT(SEM_INIT), WHEN(OPERAND_UNDER(SEM_VALUE_MOST)),
     DO(RESET(A), SET_TO(A, VALUE, OPERAND)), RETURNS(OK)},
    {AT(SEM_INIT), WHEN(OPERAND_IS(SEM_VALUE_MOST)), DO(RESET(A), SET_TO(A, VALUE, OPERAND)),
     RETURNS(OK)},
    {AT(SEM_WAIT), TRIED, WHEN(OVER(A, VALUE, 0)), DO(ADD(A, VALUE, -1)), ACQUIRES(A),
     RETURNS(OK)},
    {AT(SEM_WAIT), TRIED, WHEN(IS(A, VALUE, 0)), RETURNS(BUSY)},
    {.op = OP_SEM_WAIT, .phases = LOWER_START | LOWER_LATE, NOT_TRIED,
     WHEN(IS(SELF, CANCEL, 1)), CANCELLED},
    {.op = OP_SEM_WAIT, .phases = LOWER_START | LOWER_LATE, NOT_TRIED,
     WHEN(IS(SELF, CANCEL, 0), OVER(A, VALUE, 0)), DO(ADD(A, VALUE, -1)), ACQUIRES(A),
     RETURNS(OK)},
    LATE(SEM_WAIT, WHEN(IS(SELF, CANCEL, 0), IS(A, VALUE, 0))),
    TIME_PASSES(SEM_WAIT, WHEN({0})),
    {AT(SEM_POST), WHEN(UNDER(A, VALUE, SEM_VALUE_MOST)), DO(ADD(A, VALUE, 1)), WAKES(RETRY),
     RELEASES(A), RETURNS(OK)},
    {AT(SEM_POST), WHEN(IS(A, VALUE, SEM_VALUE_MOST)), FAILS(EOVERFLOW)},
    {AT(SEM_VALUE), RETURNS(OK)},
    {AT(SEM_DESTROY), DO(RESET(A)), RETURNS(OK)},

    /* ---- once ---- */
    {AT(ONCE), WHEN(IS(A, OWNER, 0), ISNT(A, DONE, 0)), ACQUIRES(A), RETURNS(OK)},
    {AT(ONCE), WHEN(IS(A, OWNER, 0), IS(A, DONE, 0)), DO(SET_TO(A, OWNER, SELF)),
     .next = LOWER_RUNS},
    {.op = OP_ONCE, .phases = LOWER_RUNS, .cause = CAUSE_RETURN,
     DO(SET(A, OWNER, 0), SET(A, DONE, 1)), WAKES(RETRY), RELEASES(A), RETURNS(OK)},

    /* ---- the user's own, sections ---- */
    {AT(RELEASE), RELEASES(A), RETURNS(OK)},
    {AT(ACQUIRE), ACQUIRES(A), RETURNS(OK)},
    {AT(ATOMIC_BEGIN), WHEN(IS(SECTION, OWNER, 0)), DO(TAKE(SECTION)), ACQUIRES(SECTION),
     RETURNS(OK)},
    {AT(ATOMIC_BEGIN), WHEN(MINE(SECTION)), DO(ADD(SECTION, COUNT, 1)), RETURNS(OK)},
    {AT(ATOMIC_END), WHEN(MINE(SECTION), OVER(SECTION, COUNT, 1)),
     DO(ADD(SECTION, COUNT, -1)), RETURNS(OK)},
    {AT(ATOMIC_END), WHEN(MINE(SECTION), IS(SECTION, COUNT, 1)), DO(GIVE(SECTION)),
     RELEASES(SECTION), RETURNS(OK)},
    {AT(ATOMIC_END), WHEN(NOT_MINE(SECTION)), RETURNS(OK)},
};
// clang-format on

const LowerRow *lower_rows(OpKind op, uint32_t *ret_count) {
  enum { COUNT = sizeof rows / sizeof *rows };
  uint32_t first = 0, end;
  while (first < COUNT && rows[first].op != op) first++;
  for (end = first; end < COUNT && rows[end].op == op; end++) continue;
  *ret_count = end - first;
  return &rows[first];
}
