/* Systems of threads built in C, for prediction: no script, no text.
 *
 * A thread is a chain of events. An object (a mutex, a semaphore, a thread that is joined)
 * is a small machine over events. The rule is a small machine too: it watches, and an event
 * of its alphabet for which it has no arc breaks it. An event happens when every thread,
 * object and rule that knows it is ready for it, and at least one thread does: it is the
 * alphabetised parallel composition of all of them.
 *
 *   CspSystem *s = csp_system_new(NULL);
 *   uint32_t lock = csp_system_add_event(s, "lock.t1.m"), …;
 *   csp_system_add_thread(s, "t1", events, count);
 *   csp_system_add_object(s, "m", arcs, arc_count);
 *   CspRun run;
 *   while (csp_system_next(s, CSP_ASK_DEADLOCK, &run) == CSP_FAILS) {
 *     … run.events …;
 *     csp_run_free(&run);
 *   }
 *   csp_run_free(&run);
 *   csp_system_free(s);
 *
 * Wrong numbers of events or states are defects of the caller and end in an assertion. */
#ifndef HEDDLE_CSP_SYSTEM_H
#define HEDDLE_CSP_SYSTEM_H

#include "csp/csp.h"

typedef struct CspSystem CspSystem;

/* From state `from` by the event to state `to`; state 0 is the first. */
typedef struct CspArc {
  uint32_t from, event, to;
} CspArc;

typedef enum {
  CSP_ASK_DEADLOCK, /* can a state be reached in which nothing happens, but a thread has
                       not done all of its events? */
  CSP_ASK_RULE,     /* can the rule be broken? */
} CspQuestion;

/* A run that answers a question with yes; events.count is 0 otherwise. */
typedef struct CspRun {
  uint32_t *events;  /* in the order of the run, as numbered by csp_system_add_event */
  uint32_t *threads; /* beside each event, a thread that does it */
  uint32_t count;
  uint64_t states; /* explored for this answer */
  const char *why; /* of CSP_UNDECIDED: a sentence; constant text */
} CspRun;

/* NULL: the defaults. The limits `states`, `memory` and `stop` count, the rest does
 * not. */
CspSystem *csp_system_new(const CspOptions *options);
/* No answer after this moment of the monotonic clock, in seconds; 0: any time. */
void csp_system_set_deadline(CspSystem *system, double deadline);
void csp_system_free(CspSystem *system); /* accepts NULL */

/* ---- building; not after the first question ---------------------------------------- */

/* The name is copied. */
uint32_t csp_system_add_event(CspSystem *system, const char *name);
/* The number of the thread. Its alphabet is the events of its chain. */
uint32_t csp_system_add_thread(CspSystem *system, const char *name,
                               const uint32_t *events, uint32_t count);
/* The number of the object. Its alphabet is the events of its arcs; several arcs with the
 * same event from one state are a choice. */
uint32_t csp_system_add_object(CspSystem *system, const char *name, const CspArc *arcs,
                               uint32_t count);
/* The rule; at most one. `alphabet` adds events that are never allowed to those of the
 * arcs. At most one arc for an event from one state. */
void csp_system_set_rule(CspSystem *system, const CspArc *arcs, uint32_t count,
                         const uint32_t *alphabet, uint32_t alphabet_count);

const char *csp_system_event_name(const CspSystem *system, uint32_t event);

/* ---- asking ------------------------------------------------------------------------ */

/* CSP_FAILS with a run; asked again, with a further run that differs from all runs given
 * for this question in the order of events at some object. (Two runs differ there when
 * neither of the two sequences of the object's events is the beginning of the other.)
 * CSP_HOLDS when there is none, or no further one. CSP_UNDECIDED when a limit was reached
 * first. The run is filled in every case. The answers are the same in every execution. */
CspVerdict csp_system_next(CspSystem *system, CspQuestion question, CspRun *ret);
void csp_run_free(CspRun *run);

#endif
