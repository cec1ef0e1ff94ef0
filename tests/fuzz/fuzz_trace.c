/* Fuzz target: the reader of traces and what prediction makes of them. The bytes are read
 * as a file, and as the events of two threads in a file that is otherwise well made. What
 * must hold: no crash; a refused file gives one error of bad input. */
#include "predict/deadlocks.h"
#include "predict/races.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_bytes(const void *bytes, size_t size) {
  Trace trace = {0};
  Err err = {0};
  bool ok = trace_read_bytes("fuzzed", bytes, size, NULL, &trace, &err);
  if (ok != (err.kind == ERR_NONE) || (!ok && err.kind != ERR_INPUT)) abort();
  if (ok) {
    Run run;
    Races races;
    Circles circles;
    run_init(&run, &trace, NULL);
    races_find(&run, NULL, &races);
    deadlocks_find(&run, &circles);
    races_free(&races);
    deadlocks_free(&circles);
    run_free(&run);
  }
  trace_free(&trace);
  err_free(&err);
}

static void put_block(uint8_t *unit, uint32_t thread, const uint8_t *events,
                      size_t size) {
  TraceBlock block = {.magic = TRACE_BLOCK_MAGIC, .thread = thread, .size = TRACE_UNIT};
  if (size > TRACE_UNIT - sizeof block) size = TRACE_UNIT - sizeof block;
  block.used = (uint32_t)size;
  memcpy(unit, &block, sizeof block);
  if (size) memcpy(unit + sizeof block, events, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_bytes(data, size);
  uint8_t *file = mem_alloc_zero(3 * TRACE_UNIT);
  TraceHeader header = {.magic = TRACE_MAGIC, .version = TRACE_VERSION};
  memcpy(file, &header, sizeof header);
  put_block(file + TRACE_UNIT, 0, data, size / 2);
  put_block(file + 2 * TRACE_UNIT, 1, data + size / 2, size - size / 2);
  read_bytes(file, 3 * TRACE_UNIT);
  mem_free(file);
  return 0;
}
