/* The check: from a program to what was found, by climbing the ladder of engines.
 *
 * The questions are collected once (collect.h) and given to the engines from cheap to dear; each
 * answers what it can, the ladder (ladder.h) has the answers checked. The result is complete and
 * sorted; whatever stayed open is `unknown`, with the reason. */
#ifndef HEDDLE_ENGINE_CHECK_H
#define HEDDLE_ENGINE_CHECK_H

#include "base/err.h"
#include "engine/engine.h"

typedef struct {
  bool properties[PROPERTY_COUNT];
  const Engine *const *engines; /* that may answer, cheapest first; ends with NULL */
  bool accesses;                /* list every access of each location, for --explain */
  bool routes;                  /* to errors, for replays: Finding.route */
  bool strict;                  /* assume nothing of functions without body and rule */
  EngineOptions options;
  double seconds;           /* for everything here */
  const volatile int *stop; /* or NULL; not 0: come to an end */
  const Log *log;           /* or NULL */
  Progress *progress;       /* or NULL */
} CheckRequest;

/* Fills *ret_result (release with result_free), whose program is `program`. False after
 * filling `err` if the program cannot be checked at all: it has no main. */
bool check_run(const Program *program, const CheckRequest *request,
               CheckResult *ret_result, Err *err);

#endif
