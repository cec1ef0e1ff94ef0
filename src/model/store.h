/* The model as bytes: written by the process that translates, mapped by the one that
 * checks.
 *
 * The format is for one build of heddle talking to itself (child to parent through a
 * memory file, or a cache on the same machine); it is versioned and every table's element
 * size is recorded, so that another build's file is refused and not misread. */
#ifndef HEDDLE_MODEL_STORE_H
#define HEDDLE_MODEL_STORE_H

#include "base/err.h"
#include "model/program.h"

#include <stdbool.h>

/* Writes all tables to `fd` from its current position on (0 for a file that is to be
 * mapped). */
bool program_save(const Program *program, int fd, Err *err);

/* Maps a saved program: the vectors of *ret_program point into the mapping and must not
 * grow; program_free unmaps it, and `fd` may be closed at once. Checks header, sizes and
 * offsets; the contents of the tables are checked by program_validate. A regular file
 * must not be shortened by others while it is mapped; a memory file is sealed against it.
 * */
bool program_map(int fd, Program *ret_program, Err *err);

#endif
