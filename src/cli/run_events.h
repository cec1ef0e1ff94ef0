/* The user's events in the program that was recorded. */
#ifndef HEDDLE_CLI_RUN_EVENTS_H
#define HEDDLE_CLI_RUN_EVENTS_H

#include "base/err.h"
#include "trace/trace.h"

/* Each event of the file (NULL: none is counted on) must be in the program, and each event of the
 * program must have a place in it, or in a library that it loaded. False after filling `err`. */
bool run_check_events(const char *path, const Trace *trace, Err *err);

#endif
