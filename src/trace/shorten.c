/* The first part of a run. See shorten.h. */
#include "trace/shorten.h"

void trace_shorten(Trace *trace, uint64_t last) {
  uint32_t kept = 0;
  while (kept < trace->events.len && trace->events.data[kept].sequence <= last) kept++;
  trace->events.len = kept;
  trace->access_count = 0;
  for (uint32_t i = 0; i < trace->threads.len; i++) {
    TraceThread *t = &trace->threads.data[i];
    uint32_t events = 0, accesses = 0;
    while (events < t->events.len && t->events.data[events] < kept) events++;
    while (accesses < t->accesses.len && t->accesses.data[accesses].after <= events)
      accesses++;
    bool begun = events || !i;
    t->events.len = events;
    t->accesses.len = begun ? accesses : 0;
    if (!begun) t->started = t->known = false;
    trace->access_count += t->accesses.len;
  }
}
