/* Writes traces as the runtime does, for tests: an independent encoder of trace/format.h.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "base/str.h"
#include "trace/format.h"

#include <string.h>

enum { WRITER_THREADS = 8 };

typedef struct {
  Str events[WRITER_THREADS];
  uint64_t sequence, last_sequence[WRITER_THREADS], last_pc[WRITER_THREADS],
      last_object[WRITER_THREADS], last_address[WRITER_THREADS],
      last_place[WRITER_THREADS];
} TraceWriter;

static void writer_number(Str *s, uint64_t value) {
  unsigned more = 0;
  while (more < 7 && value >> (5 + 8 * more)) more++;
  uint64_t bytes = more < 7 ? value << 3 | more : value;
  if (more == 7) str_add_char(s, 7);
  for (unsigned i = 0; i < (more < 7 ? more + 1 : 8); i++)
    str_add_char(s, (char)(bytes >> 8 * i));
}

static void writer_difference(Str *s, uint64_t value, uint64_t *last) {
  int64_t d = (int64_t)(value - *last);
  *last = value;
  writer_number(s, d < 0 ? (uint64_t)(-(d + 1)) * 2 + 1 : (uint64_t)d * 2);
}

static void writer_event(TraceWriter *w, uint32_t t, TraceOp op, uint64_t object,
                         unsigned count, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t arguments[3] = {a, b, c};
  Str *s = &w->events[t];
  str_add_char(s, (char)op);
  writer_number(s, ++w->sequence - w->last_sequence[t]);
  w->last_sequence[t] = w->sequence;
  writer_difference(s, 0x1000 + w->sequence, &w->last_pc[t]);
  writer_difference(s, object, &w->last_object[t]);
  for (unsigned i = 0; i < count; i++) writer_number(s, arguments[i]);
}

static void writer_access(TraceWriter *w, uint32_t t, uint64_t address, unsigned flags,
                          uint64_t pc) {
  Str *s = &w->events[t];
  str_add_char(s, (char)(TRACE_ACCESS | flags | 2)); /* 4 bytes */
  writer_difference(s, address, &w->last_address[t]);
  writer_difference(s, pc, &w->last_place[t]);
}

/* The whole file; the writer is empty afterwards. */
static void writer_finish(TraceWriter *w, Str *out) {
  TraceHeader header = {.magic = TRACE_MAGIC, .version = TRACE_VERSION};
  char unit[TRACE_UNIT] = {0};
  memcpy(unit, &header, sizeof header);
  str_add_bytes(out, unit, sizeof unit);
  for (uint32_t t = 0; t < WRITER_THREADS; t++) {
    if (!w->events[t].len) continue;
    TraceBlock block = {.magic = TRACE_BLOCK_MAGIC,
                        .thread = t,
                        .size = TRACE_UNIT,
                        .used = (uint32_t)w->events[t].len};
    memset(unit, 0, sizeof unit);
    memcpy(unit, &block, sizeof block);
    memcpy(unit + sizeof block, w->events[t].data, w->events[t].len);
    str_add_bytes(out, unit, sizeof unit);
    str_free(&w->events[t]);
  }
  *w = (TraceWriter){0};
}

#endif
