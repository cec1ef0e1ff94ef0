/* A registry of temporary paths, so that whatever ends the run early can remove them.
 *
 * Whoever creates a temporary file or directory registers its path *before* creating it
 * and forgets it after removing or renaming it. The out-of-memory handler and the signal
 * handler of the command line call temp_remove_all. Each entry belongs to the process
 * that registered it: a forked child never removes what its parent still needs.
 *
 * The number of slots is fixed because a signal handler cannot allocate; it bounds the
 * temporary paths alive at one time, not their number over a run. */
#ifndef HEDDLE_BASE_TEMP_H
#define HEDDLE_BASE_TEMP_H

#include "base/err.h"

#include <stdbool.h>

enum { TEMP_SLOTS = 256 };

/* Copies and records `path`. Returns false when every slot is taken (the caller goes on,
 * the path is then only removed on the ordinary way out). */
bool temp_register(const char *path);

/* Drops the record; the file itself is left alone. Unknown paths are ignored. */
void temp_forget(const char *path);

/* Removes the file or empty directory and drops its record. */
void temp_remove(const char *path);

/* Removes every file and then every directory registered by this process, newest first.
 * Safe to call inside a signal handler; the records stay, since the process is about to
 * end. */
void temp_remove_all(void);

/* A fresh private directory under $TMPDIR (or /tmp), registered; the path is released
 * with mem_free after temp_remove. NULL after filling `err`. */
char *temp_dir_new(Err *err);

#endif
