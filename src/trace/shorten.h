/* A run that is too long for the memory is looked at up to some event: everything that
 * happened by then, in all threads, and nothing of what came later. */
#ifndef HEDDLE_TRACE_SHORTEN_H
#define HEDDLE_TRACE_SHORTEN_H

#include "trace/trace.h"

/* What prediction takes for each, about, in bytes. */
enum { TRACE_EVENT_COST = 360, TRACE_ACCESS_COST = 64 };

/* Leaves out all events with higher numbers than `last`, and the accesses behind them. The
 * events are sorted. */
void trace_shorten(Trace *trace, uint64_t last);

#endif
