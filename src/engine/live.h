/* A search in a child that tells, while it runs, how far it is.
 *
 * The child's messages are lines with a mark in front, on its captured standard error. Each goes into the
 * parent's log when it comes, and is shown beside the phase in the live line. What else the child writes there (a
 * library's complaint) is logged at its end. */
#ifndef HEDDLE_ENGINE_LIVE_H
#define HEDDLE_ENGINE_LIVE_H

#include "base/log.h"
#include "base/proc.h"
#include "base/progress.h"

/* In the child: the log to use there, of messages up to LOG_INFO. */
extern const Log live_log;

typedef struct {
  const char *name; /* of the engine */
  const Log *log;
  Progress *progress;       /* or NULL */
  const volatile int *stop; /* or NULL */
} Live;

/* Waits for the child's end, as proc_wait_or_stop does. */
void live_wait(const Live *live, Proc *proc, ProcResult *ret_result);

#endif
