/* Telling of accesses and orders to who looks on (ExecOptions.watch). All of these do
 * nothing when nobody does. Only files of this folder include this. */
#ifndef HEDDLE_MODEL_EXEC_EVENT_H
#define HEDDLE_MODEL_EXEC_EVENT_H

#include "model/exec/machine.h"

/* By the thread's current edge. */
void event_access(Exec *exec, ExecThread *thread, uint64_t address, uint64_t size,
                  unsigned access, MemoryOrder order);
void event_release(Exec *exec, ExecThread *thread, ExecChannel channel, uint64_t address);
void event_acquire(Exec *exec, ExecThread *thread, ExecChannel channel, uint64_t address);
void event_reset(Exec *exec, ExecThread *thread, uint64_t address);
void event_thread(Exec *exec, ExecThread *thread, ExecEventKind kind, uint32_t other);
void event_fresh(Exec *exec, ExecThread *thread, uint64_t address, uint64_t size);
/* A barrier opens for the n threads that wait there and for `last`. */
void event_barrier(Exec *exec, ExecThread *last, uint64_t address, uint32_t round,
                   const uint32_t *waiting, uint32_t n);

/* What the edge that the thread is about to take touches by itself (plain and atomic loads
 * and stores, copies, fences, locks as objects). Other operations tell as they run. */
void event_before_edge(Exec *exec, ExecThread *thread, EdgeId edge);

/* A call of the library function begins, and ends with a result. */
void event_call_begins(Exec *exec, ExecThread *thread, FuncId function,
                       const NativeCall *call);
void event_call_ends(Exec *exec, ExecThread *thread, FuncId function,
                     const NativeCall *call);
/* The library function that runs has read or written the program's memory. */
void event_library(Exec *exec, uint64_t address, uint64_t size, unsigned access);

#endif
