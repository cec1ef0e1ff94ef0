/* Traces that are kept are packed: see rule 8 of format.h. */
#ifndef HEDDLE_TRACE_PACK_H
#define HEDDLE_TRACE_PACK_H

#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>

/* Takes bytes of the packed file; false: give up. */
typedef bool (*TraceSink)(void *data, const void *bytes, size_t size);

/* Packs a trace in memory. False when it is none that could be packed (damaged, or packed
 * already), or when the sink gave up. */
bool trace_pack_bytes(const void *bytes, size_t size, TraceSink sink, void *data);

/* Packs a file, once its program has ended. When that fails, for want of space or for
 * any other reason, the file stays as it was, which is as good for reading. */
bool trace_pack(const char *path);

/* The events of a packed block, in `room` of TRACE_LARGEST_BLOCK bytes; `packed` are the
 * bytes behind its header. False when they are not what the block says. */
bool trace_unpack(const TraceBlock *block, const void *packed, void *room);

#endif
