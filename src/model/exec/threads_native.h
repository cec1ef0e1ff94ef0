/* What the native functions of threads_native.c and threads_attr.c share. */
#ifndef HEDDLE_MODEL_EXEC_THREADS_NATIVE_H
#define HEDDLE_MODEL_EXEC_THREADS_NATIVE_H

#include "model/exec/sync.h"

/* Leaves the result; NATIVE_DONE. */
NativeStatus thread_answer(NativeCall *call, uint64_t value);
/* The functions on attribute objects, or NULL. */
const Native *thread_attr_native(const char *name);
/* Named semaphores (sync_named.c), or NULL. */
const Native *named_native(const char *name);

/* Threads that the library starts (threads_library.c), or NULL. */
const Native *library_thread_native(const char *name);

#endif
