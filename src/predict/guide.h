/* Replaying an error that a check has found in the model: the program follows the route
 * (verdict/route.h) until the error shows, or does not.
 *
 * A route becomes a control file (trace/format.h): its steps with places of the source,
 * the program's line table by which the runtime recognises them, and the values that the
 * program is given. Only what showed counts; that it could not be followed says nothing
 * about the error. */
#ifndef HEDDLE_PREDICT_GUIDE_H
#define HEDDLE_PREDICT_GUIDE_H

#include "base/err.h"
#include "base/str.h"
#include "verdict/route.h"

typedef struct {
  const char *program; /* its file; it has the runtime and debug information */
  const char *folder;  /* where it runs */
  const Route *route;
  double timeout; /* seconds */
} Guide;

/* True: the error showed. False otherwise; `why` says in a few words how far it came. */
bool guide_replay(const Guide *guide, Str *why);

#endif
