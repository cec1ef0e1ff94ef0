/* Libraries in a program whose code was not watched. */
#ifndef HEDDLE_PREDICT_FOREIGN_H
#define HEDDLE_PREDICT_FOREIGN_H

#include "trace/trace.h"

/* Whether the program has libraries that were built without instrumentation, beside those of
 * the system whose synchronisation the runtime stands in front of: locks of their own are not
 * seen. */
bool foreign_any(const Trace *trace);

#endif
