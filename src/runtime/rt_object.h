/* The runtime's own state of objects, in a replay: condition variables and barriers are the
 * runtime's, and what runs once is known to it. Shared by rt_cond.c, rt_wait.c and
 * rt_once.c. */
#ifndef HEDDLE_RUNTIME_RT_OBJECT_H
#define HEDDLE_RUNTIME_RT_OBJECT_H

#include "runtime/rt.h"

typedef struct RtObject {
  struct RtObject *next;
  uintptr_t address;
  uint32_t waiters, tokens; /* of a condition variable */
  uint64_t arrivals, woken; /* waits that ever began; of them before the last signal */
  uint32_t count, arrived, round; /* of a barrier */
  RtOnce once;
} RtObject;

/* That at the address, which is made when there is none. Big lock held. */
RtObject *rt_object_at(const void *address);

/* While recording: an event of the calling thread, if it is recorded. */
static inline void rt_emit_object(TraceOp op, const void *object, uintptr_t pc,
                                  uint64_t argument) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, op, (uintptr_t)object, pc, argument, 0, 0);
}

#endif
