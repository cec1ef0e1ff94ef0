/* The way to an error as the real program can be made to go it: what its threads do that
 * others may notice, in one order, with places of the source instead of edges of the model,
 * and what the program is given: arguments, standard input, unknown values.
 *
 * The engines make a route of every witness (engine/route.h); who replays it (predict/)
 * knows nothing of the model. All of it lives in the arena of the result. */
#ifndef HEDDLE_VERDICT_ROUTE_H
#define HEDDLE_VERDICT_ROUTE_H

#include "verdict/place.h"

/* What one step does. The words are those of the trace (trace/format.h) where it has one. */
#define ROUTE_OPS(X)                                                                     \
  X(READ)                                                                                \
  X(WRITE)                                                                               \
  X(ATOMIC_LOAD)                                                                         \
  X(ATOMIC_STORE)                                                                        \
  X(ATOMIC_RMW)                                                                          \
  X(CREATE)                                                                              \
  X(JOIN)                                                                                \
  X(LOCK)                                                                                \
  X(FAILED_LOCK)                                                                         \
  X(READ_LOCK)                                                                           \
  X(FAILED_READ_LOCK)                                                                    \
  X(UNLOCK)                                                                              \
  X(WAIT)                                                                                \
  X(WOKEN)                                                                               \
  X(TIMED_OUT)                                                                           \
  X(SIGNAL)                                                                              \
  X(BROADCAST)                                                                           \
  X(BARRIER_ENTER)                                                                       \
  X(BARRIER_EXIT)                                                                        \
  X(SEM_WAIT)                                                                            \
  X(FAILED_SEM_WAIT)                                                                     \
  X(SEM_POST)                                                                            \
  X(ONCE_RUN)                                                                            \
  X(ONCE_END)                                                                            \
  X(ONCE_SEEN)                                                                           \
  X(BEFORE)                                                                              \
  X(AFTER)

typedef enum {
#define X(name) ROUTE_##name,
  ROUTE_OPS(X)
#undef X
      ROUTE_OP_COUNT
} RouteOp;

typedef struct {
  uint32_t thread; /* of Route.threads */
  uint8_t op;      /* RouteOp */
  bool
      optional; /* the program may do without: not everything in the model is a step there */
  uint8_t mark; /* 1, 2: the first and the second access of a race that is unordered */
  SourcePlace place;
} RouteStep;

/* Number 0 is main; the others are the index-th thread (from 0) that their parent created. */
typedef struct {
  uint32_t parent, index;
} RouteThread;

/* What a thread gets from functions that may return anything; each thread in this order. */
typedef struct {
  uint32_t thread;
  uint64_t value;
} RouteValue;

typedef enum {
  ROUTE_TO_RACE,      /* both threads of `ends` stand before their accesses */
  ROUTE_TO_UNORDERED, /* the two marked steps are taken, and nothing orders them */
  ROUTE_TO_DEADLOCK,  /* the threads of `ends` wait there, and nobody can go on */
  ROUTE_TO_ASSERT,    /* the thread of the one end fails there */
} RouteKind;

typedef struct {
  uint32_t thread;
  SourcePlace place;
  bool write, atomic; /* of an access */
} RouteEnd;

typedef struct Route {
  RouteKind kind;
  const RouteStep *steps;
  uint32_t step_count;
  const RouteThread *threads;
  uint32_t thread_count;
  const RouteValue *values;
  uint32_t value_count;
  const RouteEnd *ends;
  uint32_t end_count;
  const char *const *arguments; /* up to NULL; the first is the program's name */
  uint32_t argument_count;
  const char *input; /* standard input; "" for none */
} Route;

#endif
