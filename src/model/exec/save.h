/* The parts of exec_save that belong to the machine's parts. Only files of this folder
 * include this. */
#ifndef HEDDLE_MODEL_EXEC_SAVE_H
#define HEDDLE_MODEL_EXEC_SAVE_H

#include "model/exec/machine.h"

/* ---- save_memory.c: the address space ---- */

typedef struct {
  uint64_t address, size;
  uint8_t *bytes, *shadow;
} SavedRegion;

typedef struct {
  Memory memory; /* its lists are copies; the mappings are the machine's */
  VEC(SavedRegion) regions;
} SavedMemory;

/* False: it is more than is sensible to copy. */
bool memory_save(const Exec *exec, SavedMemory *ret);
void memory_restore(Exec *exec, const SavedMemory *saved);
void memory_saved_free(SavedMemory *saved);

/* ---- save_thread.c: threads and their frames ---- */

typedef struct {
  uint8_t *old; /* where its bytes were */
  uint8_t *bytes;
  size_t room, used;
  uint8_t *up_next;
} SavedChunk;

typedef struct {
  ExecThread thread;      /* its lists are copies, its frames are below */
  VEC(SavedChunk) chunks; /* the outermost first */
} SavedThread;

/* False: it is inside of something that cannot be copied (a library function that calls
 * back, a function with variable arguments). */
bool thread_save(const ExecThread *thread, SavedThread *ret);
/* Into a thread without frames. */
void thread_restore(Exec *exec, ExecThread *thread, const SavedThread *saved);
void thread_saved_free(SavedThread *saved);

/* ---- save_sync.c, libc_save.c ---- */
SyncTable *sync_copy(const SyncTable *table);
/* NULL: it has something of the host's open. */
LibcState *libc_state_copy(const LibcState *state);

#endif
