/* The check: from a program to what was found, by climbing the ladder of engines.
 *
 * Points-to and flow are computed once; the lock set engine answers what it can; what it
 * could not exclude is explored by the interleave engine and, for any number of threads, as a
 * Petri net; what those could not exclude either is given to the hunt, which looks for
 * evidence until the time is over. The result is complete and sorted; whatever stayed open is
 * `unknown`, with the reason. */
#ifndef HEDDLE_ENGINE_CHECK_H
#define HEDDLE_ENGINE_CHECK_H

#include "base/err.h"
#include "base/log.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "verdict/result.h"

#include <stdbool.h>

typedef enum {
  ENGINE_LOCKSET,
  ENGINE_INTERLEAVE,
  ENGINE_PETRI,
  ENGINE_HUNT,
  ENGINE_COUNT
} EngineId;

typedef struct {
  bool properties[PROPERTY_COUNT];
  bool engines[ENGINE_COUNT];
  bool accesses;            /* list every access of each location, for --explain */
  bool unlock_any;  /* threads may release locks that others hold: no error, but common */
  uint32_t threads; /* explore no more at once from one creating point; 0: all */
  double seconds;           /* for everything here */
  const volatile int *stop; /* or NULL; not 0: come to an end */
  const Log *log;           /* or NULL */
  Progress *progress;       /* or NULL */
  Outfile *certificate;     /* or NULL: for the proof of the Petri net engine */
  bool *ret_certified;      /* or NULL: whether something was written there */
} CheckRequest;

/* Fills *ret_result (release with result_free), whose program is `program`. False after
 * filling `err` if the program cannot be checked at all: it has no main. */
bool check_run(const Program *program, const CheckRequest *request,
               CheckResult *ret_result, Err *err);

#endif
