/* What threads, locks and places inside objects are called in reports. */
#ifndef HEDDLE_ENGINE_NAMES_H
#define HEDDLE_ENGINE_NAMES_H

#include "analysis/flow.h"
#include "base/arena.h"
#include "base/str.h"

/* "worker", or "main". */
const char *name_of_thread(const Flow *flow, uint32_t thread, Arena *arena);
const char *name_of_lock(const Flow *flow, const FlowLock *lock, Arena *arena);
/* "queue.head": the object, and the member at that offset. */
const char *name_of_place(const Program *program, ObjectId object, uint32_t offset,
                          Arena *arena);
/* "&queue.slots[2]": one address in an object that has a name. */
void name_add_address(const Program *program, ObjectId object, uint32_t offset, Str *out);

#endif
