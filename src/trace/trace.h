/* A recorded run, read back: threads, the events of all of them in their order, and the
 * accesses of each thread between its events.
 *
 * Reading takes time proportional to the file. No bytes make it fail otherwise than with
 * an error: every number is checked before it is used. A file that was cut off, or whose
 * program was killed, gives what is there. The trace owns everything that it refers to.
 */
#ifndef HEDDLE_TRACE_TRACE_H
#define HEDDLE_TRACE_TRACE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t sequence;
  uint64_t pc, object;
  uint64_t arguments[3];
  uint32_t thread;
  uint32_t place; /* among the events of its thread */
  TraceOp op;
  uint8_t order; /* of an atomic operation or a fence, + 1; 0: not known */
} TraceEvent;

/* One access, several in a row as one, or `count` in equal steps of memory; all of one place
 * in the code. */
typedef struct {
  uint64_t address, pc;
  uint32_t size;  /* of each */
  uint32_t after; /* so many events of its thread come before it */
  uint16_t count;
  int16_t step; /* when there are several */
  bool write, atomic;
} TraceAccess;

typedef struct {
  uint32_t number;
  bool known;    /* something of it was recorded */
  bool left_out; /* its later blocks were not read: see Trace.memory */
  bool started;  /* `parent` and `index` are known; main is, too */
  uint32_t
      parent; /* CONTROL_NO_THREAD: of main, and of threads nobody was seen to create */
  uint32_t index; /* which child of its parent */
  uint64_t routine;
  uint64_t stack, stack_size;
  const char *name;     /* "main", "main.1", "main.1.2" */
  VEC(uint32_t) events; /* into Trace.events */
  VEC(TraceAccess) accesses;
} TraceThread;

typedef struct {
  uint64_t base;
  const char *path;
} TraceModule;

/* An event that the user defined: "open #", see TraceEventKind. */
typedef struct {
  uint64_t address;
  const char *text;
} TraceKind;

typedef struct {
  Arena *arena;
  uint32_t state;    /* TRACE_ENDED, … of the header */
  int lost_errno;    /* why events are missing */
  uint32_t peak_kib; /* the program's largest resident size, or 0 */
  bool cut;          /* the file ends inside of a block */
  uint64_t memory; /* asked for: so many bytes for what prediction makes of it; 0: any */
  bool shortened;  /* only the beginning of the run is there: `memory` did not suffice */
  VEC(TraceEvent) events;
  VEC(TraceThread) threads; /* by number */
  VEC(TraceModule) modules;
  VEC(TraceKind) kinds;
  uint64_t access_count;
} Trace;

/* Fills a zeroed trace (but for `memory`). False after filling `err`; call trace_free in either case. */
bool trace_read(const char *path, Progress *progress, Trace *ret, Err *err);
/* The same for bytes in memory; `path` is for messages. */
bool trace_read_bytes(const char *path, const void *bytes, size_t size,
                      Progress *progress, Trace *ret, Err *err);
void trace_free(Trace *trace);

/* Whether a text is a name and fields, all of them words of CSP_M or numbers or "#". */
bool trace_is_kind(const char *text);
/* The text of the kind of a TRACE_EVENT, or NULL, and its TRACE_EVENT_VALUES values. */
const char *trace_event_kind(const Trace *trace, const TraceEvent *event,
                             int64_t *ret_values);
/* The event in the form of CSP_M: name, thread, and the fields of the kind with the values
 * in place of "#": "open.0.17". */
void trace_add_event(const char *kind, uint32_t thread, const int64_t *values, Str *out);

const char *trace_op_word(TraceOp op);
/* The op of a word, or TRACE_NONE. */
TraceOp trace_op_of_word(const char *word, size_t length);
/* Whether threads wait for their turn at it in a replay. */
bool trace_op_is_turn(TraceOp op);

#endif
