/* The accesses of a run, one after the other in the recorded order: after each event of a
 * thread those that follow it, and what events access themselves (atomic operations, the
 * freeing of memory). */
#ifndef HEDDLE_PREDICT_WALK_H
#define HEDDLE_PREDICT_WALK_H

#include "predict/races.h"

typedef struct {
  const Run *run;
  uint32_t *next_access; /* per thread */
  uint32_t *next_event;  /* per thread: the next one that accesses memory */
  uint32_t walked;       /* events that are done */
} Walk;

typedef struct {
  void *user;
  void (*access)(void *user, Walk *walk, const RaceAccess *access);
  /* What comes later at these addresses is something else. */
  void (*close)(void *user, uint64_t address, uint64_t size);
} WalkVisitor;

/* False when the time was over before the end. */
bool walk_run(const Run *run, const WalkVisitor *visitor, double deadline,
              Progress *progress);
/* For each thread: its accesses at positions before this one are ordered, in every order of
 * the run, before all accesses of other threads that are still to be walked. */
void walk_horizon(Walk *walk, uint32_t *horizon);

#endif
