/* The search of a check: an implementation against a specification, breadth first. */
#ifndef HEDDLE_CSP_SEARCH_H
#define HEDDLE_CSP_SEARCH_H

#include "csp/norm.h"

typedef enum {
  FLAW_NONE,
  FLAW_EVENT,      /* does an event that the specification does not allow */
  FLAW_REFUSAL,    /* refuses more than the specification allows */
  FLAW_DEADLOCK,   /* can do nothing at all */
  FLAW_DIVERGENCE, /* can do internal steps for ever */
  FLAW_CHOICE,     /* may do an event and may refuse it after the same trace */
  FLAW_NO_TRACE,   /* cannot do the trace, or may refuse it */
  FLAW_FALSE,      /* the assertion is a boolean, and false */
} CspFlaw;

/* A run of the machine: states.len = rules.len + 1 packed states. */
typedef struct CspPath {
  VEC(uint64_t) states; /* machine->words each */
  VEC(uint32_t) rules;
} CspPath;

typedef struct CspSearch {
  /* ---- in ---- */
  Csp *csp;
  CspMachine *machine;
  CspNorm *spec; /* NULL: no specification */
  CspModel model;
  bool deadlock;   /* look for deadlocks */
  bool divergence; /* look for divergences */
  bool reduce;     /* partial order reduction */
  uint32_t jobs;   /* cores; 0 is 1. No answer depends on it */
  /* ---- out ---- */
  CspFlaw flaw;
  uint32_t event; /* FLAW_EVENT: the event; FLAW_CHOICE, FLAW_NO_TRACE: the refused one */
  uint32_t node;  /* of the specification where it happened */
  CspPath path;   /* to the flawed state, including a forbidden event */
  uint32_t loop; /* FLAW_DIVERGENCE: number of the path's state where the circle begins */
  uint64_t states, transitions, memory; /* states: of all depths up to `depth` */
  uint32_t depth;                       /* of the flaw, or the last one looked at */
  double seconds;                       /* that csp_search_run took */
  bool gave_up;                         /* a limit was reached: nothing is proved */
  const char *reason;                   /* why, in the arena */
} CspSearch;

void csp_search_run(CspSearch *search);
/* Is the process deterministic (FLAW_CHOICE, FLAW_DIVERGENCE)? */
void csp_search_deterministic(CspSearch *search);
/* Can (model T) or must (F, FD) the process do this trace? */
void csp_search_trace(CspSearch *search, const uint32_t *trace, uint32_t count);
void csp_search_free(CspSearch *search);

#endif
