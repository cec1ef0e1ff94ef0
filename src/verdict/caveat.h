/* Caveats: everything that forbids `safe`, in one table.
 *
 * A row says what the program may contain, the words for the user, and which claims it voids:
 * those about these properties that rest on this. Somebody must have looked: the zero value of
 * a caveat means "not examined", and forbids as much as if it were there. The ladder asks the
 * table before it admits a claim; no engine decides for itself that it may be believed.
 *
 * The checkers of certificates do not read this table: they come to their own conclusions. */
#ifndef HEDDLE_VERDICT_CAVEAT_H
#define HEDDLE_VERDICT_CAVEAT_H

#include "model/program.h"
#include "verdict/result.h"

/* What claims rest on; every engine says so (engine/engine.h). */
enum {
  ON_FLOW = 1,       /* the facts of analysis/flow.h */
  ON_LOCKS = 2,      /* lock sets: who has taken a lock keeps others out */
  ON_NETS = 4,       /* the translation to a Petri net */
  ON_STATES = 8,     /* the abstract machine of the interleave engine */
  ON_CONTEXTS = 16,  /* threads as formulas, and their abstraction */
  ON_SCHEDULES = 32, /* all schedules of the unwound program */
  ON_VALUES = ON_NETS | ON_STATES | ON_CONTEXTS | ON_SCHEDULES, /* they calculate */
  ON_ANYTHING = ON_FLOW | ON_LOCKS | ON_NETS | ON_STATES | ON_CONTEXTS | ON_SCHEDULES,

  /* What every `safe` rests on, also one that needs no claim because there is no obligation. */
  ON_MEANING = 1 << 16,  /* the program's behaviour is defined */
  ON_ALL_CODE = 1 << 17, /* all its code is there: code that is not may touch and wait */
  ON_ONE_JOIN =
      1 << 18, /* a thread is joined once: what a second join does is not said, but it
                            brings no code to run that did not run without it */
  ON_ALWAYS = ON_MEANING | ON_ALL_CODE | ON_ONE_JOIN, /* what every claim rests on */
};

enum {
  OF_RACES = 1 << PROPERTY_RACE,
  OF_DEADLOCKS = 1 << PROPERTY_DEADLOCK,
  OF_ASSERTIONS = 1 << PROPERTY_ASSERT,
  OF_ALL = (1 << PROPERTY_COUNT) - 1, /* those that do not exist yet, too */
};

/* CAVEAT(NAME, properties, rests on, text): the text follows the place of the operation. */
#define CAVEATS(CAVEAT)                                                                  \
  CAVEAT(FLOW_UNFINISHED, OF_ALL, ON_FLOW, "the analysis did not come to an end")        \
  CAVEAT(FOREIGN_UNLOCK, OF_RACES | OF_DEADLOCKS, ON_LOCKS | ON_SCHEDULES,               \
         "unlocks what another thread locked, which POSIX leaves undefined")             \
  CAVEAT(LOCK_RENEWED, OF_ALL, ON_ANYTHING,                                              \
         "changes a lock or barrier that another thread may be using")                   \
  CAVEAT(EVENT_RENEWED, OF_RACES | OF_DEADLOCKS, ON_ANYTHING,                            \
         "changes a condition or semaphore that another thread may be using")            \
  CAVEAT(CALLED_FROM_OUTSIDE, OF_RACES | OF_DEADLOCKS, ON_LOCKS | ON_SCHEDULES,          \
         "calls a function of which nothing is known, which may call the program's")     \
  CAVEAT(CHANGED_BY_CALLBACK, OF_RACES | OF_DEADLOCKS, ON_LOCKS | ON_SCHEDULES,          \
         "calls back a function that changes locks or threads")                          \
  CAVEAT(HANDLER_LOCKS, OF_DEADLOCKS, ON_LOCKS | ON_SCHEDULES,                           \
         "takes a lock in a function that may interrupt its owner")                      \
  CAVEAT(NAMELESS_LOCK, OF_DEADLOCKS, ON_LOCKS,                                          \
         "takes a lock that has no name of its own")                                     \
  CAVEAT(NAMELESS_HELD, OF_DEADLOCKS, ON_LOCKS,                                          \
         "holds a lock that has no name of its own")                                     \
  CAVEAT(JOINS_WITH_LOCKS, OF_DEADLOCKS, ON_LOCKS,                                       \
         "joins a thread while it holds a lock")                                         \
  CAVEAT(JOINS_ELSEWHERE, OF_DEADLOCKS, ON_LOCKS, "may join a thread that waits for it") \
  CAVEAT(ENDS_WITH_LOCKS, OF_DEADLOCKS, ON_LOCKS, "ends a thread that may hold a lock")  \
  CAVEAT(CANCELS, OF_DEADLOCKS, ON_LOCKS | ON_SCHEDULES,                                 \
         "cancels a thread, which may hold a lock then")                                 \
  CAVEAT(VAGUE_LOCKS, OF_DEADLOCKS, ON_LOCKS,                                            \
         "the locks that are held could not be followed exactly")                        \
  CAVEAT(FORKS_BESIDE, OF_DEADLOCKS, ON_ANYTHING,                                        \
         "makes a process of one thread, in which the others hold what they held")       \
  CAVEAT(WRITERS_FIRST, OF_DEADLOCKS, ON_ANYTHING,                                       \
         "a read-write lock may keep readers out while a writer waits")                  \
  CAVEAT(SECOND_RETURN, OF_ALL, ON_ANYTHING,                                             \
         "may return a second time, by longjmp, which is not followed")                  \
  CAVEAT(CLEANUP_HANDLER, OF_ALL, ON_ANYTHING & ~ON_STATES,                              \
         "registers a clean-up handler, which runs at another time")                     \
  CAVEAT(ROBUST_MUTEX, OF_ALL, ON_ANYTHING & ~ON_STATES,                                 \
         "ends a thread that may hold a robust mutex")                                   \
  CAVEAT(ADDRESSES_ALIKE, OF_ALL, ON_NETS | ON_CONTEXTS | ON_SCHEDULES,                  \
         "compares addresses that may be the same, though of different objects")         \
  CAVEAT(RUNS_AT_EXIT, OF_ALL, ON_STATES | ON_SCHEDULES,                                 \
         "functions that run at the end of the program")                                 \
  CAVEAT(INTERRUPTED_WAIT, OF_ALL, ON_ANYTHING,                                          \
         "waits for a semaphore, which a handler of signals may end")                    \
  CAVEAT(UNDEFINED_CALL, OF_ALL, ON_MEANING, "has undefined behaviour")                  \
  CAVEAT(JOINED_TWICE, OF_ALL, ON_ONE_JOIN,                                              \
         "may join a thread that was joined or detached before, which is undefined")     \
  CAVEAT(LOCK_COPIED, OF_ALL, ON_MEANING,                                                \
         "copies a lock or its like into another one, which POSIX leaves undefined")     \
  CAVEAT(LOCK_WRITTEN, OF_ALL, ON_MEANING,                                               \
         "writes into a lock or its like as if it were data")                            \
  CAVEAT(STRAY_THREAD, OF_ALL, ON_ALL_CODE,                                              \
         "starts a thread in a function that has no body here")                          \
  CAVEAT(PLACED, OF_ALL, ON_MEANING,                                                     \
         "a variable is placed by the linker, or named by assembly, or a function is")   \
  CAVEAT(SHARED_WITH_CHILD, OF_ALL, ON_ALL_CODE,                                         \
         "makes what a process that is forked may use, too")                             \
  CAVEAT(LIBRARY_CALLS_ITSELF, OF_ALL, ON_ALL_CODE,                                      \
         "has the library call a function of its own")                                   \
  CAVEAT(CALLED_UNSEEN, OF_ALL, ON_ALL_CODE,                                             \
         "a function is called by the compiler's or the library's own code")             \
  CAVEAT(ROUNDS_OTHERWISE, OF_ALL, ON_VALUES, "changes how numbers are rounded")         \
  CAVEAT(ADDRESSES_AS_NUMBERS, OF_ALL, ON_VALUES,                                        \
         "compares the addresses of objects as numbers")                                 \
  CAVEAT(UNDESCRIBED, OF_ALL, ON_ALL_CODE, "it rests on what nobody described")

typedef enum {
#define CAVEAT(name, properties, rests, text) CAVEAT_##name,
  CAVEATS(CAVEAT)
#undef CAVEAT
      CAVEAT_COUNT
} CaveatId;

typedef enum { CAVEAT_NOT_EXAMINED, CAVEAT_ABSENT, CAVEAT_PRESENT } CaveatState;

typedef struct {
  CaveatState state[CAVEAT_COUNT];
  EdgeId edge[CAVEAT_COUNT];      /* where it was seen, or 0 */
  const char *text[CAVEAT_COUNT]; /* instead of the table's, or NULL */
} Caveats;

/* Somebody looked: it is there (at an operation, unless 0), or it is not. What was seen once
 * stays. */
void caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge);

/* The first caveat that voids claims about the property that rest on `rests` (ON_…), or
 * CAVEAT_COUNT. */
CaveatId caveat_against(const Caveats *caveats, Property property, unsigned rests);
/* … that voids all claims about it, whoever makes them. */
CaveatId caveat_against_all(const Caveats *caveats, Property property);
/* … that forbids `safe` where the property has no obligation. Assertions are those of the source:
 * code that is not there has none, and where none can be reached a second join fails none. */
CaveatId caveat_against_none(const Caveats *caveats, Property property);

/* "FILE:LINE does what it does", in words for the user. */
const char *caveat_why(const Caveats *caveats, CaveatId id, const Program *program,
                       Arena *arena);
const char *caveat_name(CaveatId id); /* "LOCK_RENEWED" */

#endif
