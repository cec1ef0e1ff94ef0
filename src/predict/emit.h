/* A recorded run as one CSP_M script, for `heddle csp` and other checkers: PROGRAM, and what is to
 * be asserted about it, which is a property of the user or the checks that are built in.
 *
 * With windows PROGRAM is the internal choice between them: what is asserted of it is asserted of
 * each. */
#ifndef HEDDLE_PREDICT_EMIT_H
#define HEDDLE_PREDICT_EMIT_H

#include "base/err.h"
#include "base/str.h"
#include "predict/run.h"

typedef struct {
  const char *property; /* a file of CSP_M, or NULL: */
  bool race, deadlock;  /* these checks */
  uint32_t window;      /* see window.h */
  uint32_t without;     /* reductions that are not made, see intervals.h */
  double deadline;
} EmitRequest;

/* False after filling `err`: the run is too large. */
bool emit_script(const Run *run, const EmitRequest *request, Str *out, Err *err);

#endif
