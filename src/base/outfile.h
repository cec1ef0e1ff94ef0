/* Output files that are either complete or not there.
 *
 * Text goes to a temporary name beside the target; outfile_commit flushes, syncs and
 * renames it. Until then the target keeps what it had. `-` is standard output, and
 * targets that are not ordinary files (a device, a pipe) are written in place, since
 * renaming onto them would replace them.
 *
 * Write errors (a full disk, a closed pipe) are kept inside and reported once, by
 * outfile_commit, with the name of the file; after the first one further writes are
 * dropped. The temporary file is registered in base/temp.h, so it also goes away on
 * signals and when memory runs out. */
#ifndef HEDDLE_BASE_OUTFILE_H
#define HEDDLE_BASE_OUTFILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Outfile Outfile;

/* Opens `path` for writing. NULL after filling `err`: a directory, a missing folder, no
 * permission. */
Outfile *outfile_open(const char *path, Err *err);

void outfile_write(Outfile *out, const void *bytes, size_t length);
void outfile_print(Outfile *out, const char *text);
void outfile_printf(Outfile *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Empties the buffer, so that what was written is visible now (standard output). */
void outfile_flush(Outfile *out);

/* True once a write failed: a long producer may stop early. */
bool outfile_failed(const Outfile *out);

/* Brings everything to the disk, short of giving the file its name: after success
 * outfile_commit only renames. For several files that should appear all or none. */
bool outfile_sync(Outfile *out, Err *err);

/* Puts the file in its place and releases `out` in every case. False after filling `err`;
 * then nothing new is left on the disk. */
bool outfile_commit(Outfile *out, Err *err);

/* Drops what was written and releases `out`. Accepts NULL. */
void outfile_discard(Outfile *out);

/* All at once: open, write `length` bytes, commit. */
bool outfile_save(const char *path, const void *bytes, size_t length, Err *err);

#endif
