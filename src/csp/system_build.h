/* What the two halves of a system share: what was added, and the machine made of it. */
#ifndef HEDDLE_CSP_SYSTEM_BUILD_H
#define HEDDLE_CSP_SYSTEM_BUILD_H

#include "csp/machine.h"
#include "csp/system.h"

enum { NO_COMPONENT = UINT32_MAX };

typedef VEC(uint32_t) CspNumbers;

typedef struct CspThreadChain {
  const char *name;
  CspNumbers events;
} CspThreadChain;

typedef struct CspSmallMachine {
  const char *name;
  uint32_t states;
  VEC(CspArc) arcs;
  CspNumbers alphabet; /* sorted, without repetition */
} CspSmallMachine;

/* One event of one run: the thread that owns the event, and its place in the chain. The
 * threads only go forward, so a state tells which of these have happened. */
typedef struct CspOccurrence {
  uint32_t thread, place;
} CspOccurrence;

/* The order of a run that was given: what each occurrence came after, at each object of
 * its event, and what came last at every object. thread NO_COMPONENT: nothing. */
typedef struct CspOrder {
  Map first; /* thread and place → index into `before` + 1 */
  VEC(CspOccurrence) before;
  CspOccurrence *last; /* per object */
} CspOrder;

typedef VEC(CspOrder) CspOrders;

struct CspSystem {
  Csp csp;          /* arena and limits; nothing of a script */
  CspNumbers owner; /* per event: its first thread, or NO_COMPONENT */
  VEC(const char *) names;
  VEC(CspThreadChain) threads;
  VEC(CspSmallMachine) objects;
  CspSmallMachine rule;
  bool has_rule;
  CspNumbers *objects_of; /* per event, once built */
  uint32_t *rule_of;      /* per event: the rule of the machine, if a thread does it */
  /* Components in this order: threads, objects, the rule. The rule has one state more
   * than its arcs say: the broken one, which is never left. */
  CspMachine *machine;
  CspOrders given[2]; /* per question */
  double deadline;    /* or 0 */
};

void csp_system_build(CspSystem *system);

#endif
