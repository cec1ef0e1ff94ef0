/* What the parts of context inference share. */
#ifndef HEDDLE_ENGINE_CIRC_CONTEXT_INTERNAL_H
#define HEDDLE_ENGINE_CIRC_CONTEXT_INTERNAL_H

#include "engine/circ/context.h"

#include "base/map.h"

/* "More than k" threads. */
enum { CONTEXT_OMEGA = 255, CONTEXT_MOST_K = 200 };

/* How much of a step an automaton sees (context_split.c). */
typedef enum {
  DETAIL_NONE,    /* what it changes */
  DETAIL_TESTS,   /* and what it needs */
  DETAIL_RESULTS, /* and what it makes of it */
} ContextDetail;

void context_split(const Tts *tts, ContextDetail detail, Tts *ret);

/* A system and what is known about it once and for all. */
typedef struct {
  const Tts *original;
  Tts parts; /* the same with steps in parts: local states behind those of the original */
  const Tts *tts; /* the latter: what contexts are inferred for */
  const ContextOptions *options;
  bool few; /* there are k threads in the beginning where there may be any number */
  ContextSpace space;
  NumberRows spawns;     /* all that steps start, each once; row 0 is empty */
  NumberRows steps_of;   /* per local state: steps from it */
  uint32_t *step_spawns; /* per step: row */
  uint32_t *step_writes; /* per step: havoc set of the groups that it changes */
  bool *marked;          /* per local state: errors name it */
  bool *begins;          /* per local state: a thread can begin in it */
  Numbers kinds;         /* each once */
  uint64_t states;       /* looked at so far */
  uint32_t most_states;
  const char *stopped; /* why a search gave up, or NULL */
} Problem;

/* ---- shared states (context_space.c) ---- */

/* False with a reason if the system is not for this. */
bool problem_new(const Tts *tts, const ContextOptions *options, ContextDetail detail,
                 Problem *ret, const char **ret_reason);
void problem_free(Problem *problem);

static inline bool set_has(const uint64_t *set, uint32_t s) {
  return set[s / 64] >> (s % 64) & 1;
}

static inline void set_add(uint64_t *set, uint32_t s) {
  set[s / 64] |= UINT64_C(1) << (s % 64);
}

static inline bool set_inside(const ContextSpace *x, const uint64_t *a,
                              const uint64_t *b) {
  for (uint32_t i = 0; i < x->words; i++)
    if (a[i] & ~b[i]) return false;
  return true;
}

uint64_t *set_new(const ContextSpace *space);
uint32_t space_value(const ContextSpace *space, uint32_t s, uint32_t index);
/* Do the groups have the values that are needed? And the shared state after them. */
bool problem_agrees(const Problem *p, uint32_t s, uint32_t first_touch, uint32_t count);
uint32_t problem_after(const Problem *p, uint32_t s, const TtsStep *step);
/* All shared states that differ from s in groups of the set at most, in ascending order. */
static inline const uint32_t *numbers_row(const NumberRows *rows, uint32_t i,
                                          uint32_t *ret_len) {
  uint32_t start = i ? rows->ends.data[i - 1] : 0;
  *ret_len = rows->ends.data[i] - start;
  return rows->items.data + start;
}

void space_havoc(const ContextSpace *space, uint32_t s, uint32_t havoc, Numbers *ret);
/* The first shared states; each once. */
void problem_initial(const Problem *p, Numbers *ret);

/* ---- automata (context_acfa.c) ---- */

/* The context that does nothing. */
void acfa_idle(const Problem *p, Acfa *ret);
/* Adds what is missing: a place that does nothing for threads that were never seen to begin. */
void acfa_complete(const Problem *p, Acfa *acfa);
/* When all edges are there: sorts them, and leaves out what others make superfluous. */
void acfa_tidy(Acfa *acfa);
/* The quotient by weak bisimulation; ret_map[i] is the location of i. */
void acfa_collapse(const Problem *p, const Acfa *graph, Acfa *ret, uint32_t **ret_map);
/* Does `context` do all that `graph` does? */
bool acfa_simulates(const Problem *p, const Acfa *context, const Acfa *graph);

/* ---- the graph of what a thread does (context_graph.c) ---- */

typedef struct Graph Graph;

Graph *graph_new(const Problem *p);
void graph_free(Graph *graph);
void graph_step(Graph *g, uint32_t local, uint32_t s, uint32_t step, uint32_t after);
void graph_unite(Graph *g, uint32_t local, uint32_t s, uint32_t after);
void graph_begin(Graph *g, uint32_t local, uint32_t s);
/* The locations that were made of it all. */
void graph_finish(Graph *g, Acfa *ret);

/* ---- states with one thread and its context (context_reach.c) ---- */

/* A state: the thread's local state (or one of these), the shared state, and how many threads are
 * at each location, from 0 to k or CONTEXT_OMEGA. */
#define MAIN_NOBODY UINT32_MAX           /* there is no thread but those of the context */
#define MAIN_UNBORN UINT32_C(0x80000000) /* and its kind: it is not started yet */

typedef enum { MOVE_START, MOVE_MAIN, MOVE_CONTEXT } MoveKind;

typedef struct {
  uint32_t parent; /* state, or TTS_NONE */
  MoveKind kind;
  uint32_t number; /* step, or edge */
} Arrival;

typedef struct {
  Problem *p;
  const Acfa *a;
  uint32_t k;
  Graph *graph; /* gets what the thread does; or NULL */
  StrMap seen;  /* states, in the order in which they were found */
  VEC(Arrival) arrivals;
  size_t size;        /* of a state in bytes */
  bool nobody;        /* no thread is looked at, only the context */
  uint32_t bad;       /* the state in which an error is, or TTS_NONE */
  uint32_t bad_error; /* and which */
  uint32_t bad_place; /* the location of the other thread of it, or TTS_NONE */
  /* For the check for any number: */
  bool *beside;    /* [edge * locations + location]: it moves while a thread is there */
  bool broken;     /* a thread began in a shared state that its label lacks */
  Numbers initial; /* shared states */
  Numbers after;   /* scratch */
  uint8_t *now;    /* the state that is gone on from */
  uint8_t *moved, *state; /* scratch: states after it */
} Reach;

typedef enum { REACH_ENDED, REACH_ERROR, REACH_STOPPED } ReachResult;

/* Fill in p, a, k, and either graph or nobody and beside; the rest is zero. */
ReachResult reach_run(Reach *r);
void reach_free(Reach *r); /* not what was filled in */

/* ---- the rest ---- */

/* Is what was found about R true for any number of threads (context_omega.c)? */
bool omega_holds(Problem *p, const Acfa *graph, uint32_t k);

/* The error that a search found: a real one? Otherwise the counters were too coarse, or the
 * context (context_real.c). */
typedef enum { REAL_RUN, REAL_COUNTERS, REAL_COARSE, REAL_STOPPED } Reality;
Reality real_run(Problem *p, const Reach *r, TtsRun *ret);

#endif
