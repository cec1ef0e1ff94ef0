/* A recorded run as a system of processes (section 4.4 of the paper): threads are chains
 * of events, everything they synchronise by is a small machine over events. The CSP
 * checker gets it as it is (search.c) or as a script in CSP_M (script.c).
 *
 * A lock, a condition variable, a semaphore, a barrier, a pthread_once, an atomic
 * variable, and each pair of steps that is ordered in every run are machines. Unlike in
 * the paper a condition variable is not taken apart into instances, but counts who waits
 * and who may go on; and an atomic variable has the values that were seen, so that an
 * order in which a branch would read something else is none. */
#ifndef HEDDLE_PREDICT_MODEL_H
#define HEDDLE_PREDICT_MODEL_H

#include "csp/system.h"
#include "predict/run.h"

/* Events have the names of CSP_M: "lock.0.2" is thread 0 at mutex 2. The same operation
 * of the same thread at the same object is the same event, however often it happens. */
typedef struct {
  const char *name;
  uint32_t thread;
} ModelEvent;

typedef struct {
  uint32_t object; /* of the run; 0: two steps in their order */
  VEC(CspArc) arcs;
} ModelMachine;

typedef struct {
  const Run *run;
  Arena *arena;
  VEC(ModelEvent) events;
  VEC(ModelMachine) machines;
  uint32_t *length;    /* per thread: how many of its steps are there */
  uint32_t *event_of;  /* per step that is there: into events */
  uint32_t *number_of; /* per object: among those of its kind */
} RunModel;

/* Only the first `length[t]` steps of each thread (NULL: all). With `blind`, atomic
 * variables have no machines: their operations may read anything. False when the machines
 * are too large; call run_model_free in either case. */
bool run_model_init(RunModel *model, const Run *run, const uint32_t *length, bool blind);
/* The machines begin in the states that they have after the first `prefix` steps of the run, in
 * their recorded order. False when a machine does not follow them. */
bool run_model_advance(RunModel *model, uint32_t prefix);
void run_model_free(RunModel *model);

#endif
