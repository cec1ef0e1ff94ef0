/* Fuzz target: the reader of the user's events. What must hold: no crash; a refused text
 * gives one error of bad input with its line; an accepted one has texts that the reader of
 * traces accepts, too. */
#include "front/events.h"
#include "trace/trace.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Events events = {0};
  Err err = {0};
  bool ok = events_parse("fuzzed", (const char *)data, size, &events, &err);
  if (ok != (err.kind == ERR_NONE) || (!ok && (err.kind != ERR_INPUT || err.line < 1)))
    abort();
  for (uint32_t i = 0; ok && i < events.orders.len; i++)
    if (!trace_is_kind(events.orders.data[i].text)) abort();
  events_free(&events);
  err_free(&err);
  return 0;
}
