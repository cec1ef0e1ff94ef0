/* Contexts: what all the other threads do, as a small automaton that is inferred.
 *
 * The second way to decide a thread transition system (tts.h), that of the paper: one thread is
 * looked at, all others are copies of an abstract control flow automaton (ACFA). A location of it
 * says which shared states there can be while a thread is there, an edge says which groups may get
 * any value while a thread goes along it. How many threads are at a location is counted up to k.
 * In the beginning the context does nothing; what the thread does beside it is made the next
 * context, until a context does all that the thread does beside it. Then what was found holds for
 * any number of threads.
 *
 * It serves as a second opinion on the net of a system, and as its story: the final context is what
 * can be shown. It is not exact: a label knows nothing of the other threads.
 *
 * Paper: Henzinger, Jhala, Majumdar, Race checking by context inference, PLDI 2004. Where this
 * differs from what is printed there, it says so (context_reach.c, context_omega.c). */
#ifndef HEDDLE_ENGINE_CIRC_CONTEXT_H
#define HEDDLE_ENGINE_CIRC_CONTEXT_H

#include "engine/circ/tts.h"

/* The shared states of a system, all values of all groups, as numbers. */
typedef struct {
  uint32_t count;       /* of shared states */
  uint32_t words;       /* of a set of them */
  VEC(uint32_t) groups; /* those with more than one value: the bits of havoc sets */
  VEC(uint32_t) sizes, strides; /* of them */
} ContextSpace;

typedef struct {
  uint64_t *label; /* shared states that there can be; owned by the automaton */
  uint32_t kind;
  uint32_t
      mark; /* a local state that errors name, which threads here may be in; or TTS_NONE */
  bool atomic;
  uint32_t first_local,
      local_count; /* Acfa.locals: local states of threads that are here */
} AcfaLocation;

typedef struct {
  uint32_t from, to; /* to TTS_NONE: the thread ends */
  uint32_t havoc;    /* bit i: the i-th group of ContextSpace.groups gets any value */
  uint32_t spawns;   /* a row of Acfa.spawns: the threads that are started */
} AcfaEdge;

/* One graph for all kinds of threads: no edge leads from one to another. */
typedef struct {
  VEC(AcfaLocation) locations;
  VEC(AcfaEdge) edges;      /* sorted by `from` */
  VEC(uint32_t) first_edge; /* per location, and one more: where its edges begin */
  VEC(uint32_t) locals;
  VEC(uint32_t)
  starts; /* per local state: where threads are that begin in it, or TTS_NONE */
  NumberRows spawns; /* sorted local states; row 0 is empty */
} Acfa;

void acfa_free(Acfa *acfa);

typedef struct {
  NetLimits limits;
  uint32_t most_k;      /* counters go up to this; 0: up to 3 */
  uint32_t most_states; /* of one search; 0: 200,000 */
  bool from_zero;       /* begin with k = 0 instead of 1 */
  bool
      exact_start; /* begin with k threads and look at the end whether it holds for any number */
  /* Mistakes of the printed text, for tests that show that they are noticed. */
  bool
      labels_after; /* labels of all others are used to rule out the step that breaks them */
  bool omega_remains; /* one less than "more than k" is always "more than k" */
  bool
      omega_trusts; /* with exact_start: errors of more than k threads are not looked for */
} ContextOptions;

typedef struct {
  NetVerdict verdict;
  char *reason;       /* of NET_UNKNOWN; owned */
  TtsRun run;         /* of NET_UNSAFE */
  Acfa acfa;          /* of NET_SAFE: the context */
  ContextSpace space; /* that it is about */
  uint32_t locals;    /* of the system; larger ones are parts of its steps */
  uint32_t rounds, k;
  uint32_t
      detail; /* 0: an edge knows what it changes; 1: and what it needs; 2: and the result */
  uint64_t states; /* that were looked at in all searches */
} ContextAnswer;

/* Systems with shakes are refused, and those with too many shared states: unknown, with the
 * reason. */
void context_infer(const Tts *tts, const ContextOptions *options, ContextAnswer *ret);
void context_answer_free(ContextAnswer *answer);

/* How a context is told. Names may be NULL: then numbers are printed. */
typedef struct {
  void *data; /* given to the functions */
  /* Append the name of a kind, of a group, of a value of it, of a local state. */
  void (*kind)(void *data, uint32_t kind, Str *out);
  void (*group)(void *data, uint32_t group, Str *out);
  void (*value)(void *data, uint32_t group, uint32_t value, Str *out);
  void (*local)(void *data, uint32_t local, Str *out);
} ContextNames;

void context_print(const ContextAnswer *answer, const ContextNames *names, Str *out);
/* What is true while a thread is at this location of the context. */
void context_print_label(const ContextAnswer *answer, const ContextNames *names,
                         uint32_t location, Str *out);
/* A Graphviz drawing. */
void context_dot(const ContextAnswer *answer, const ContextNames *names, Str *out);

#endif
