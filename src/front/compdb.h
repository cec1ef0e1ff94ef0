/* compile_commands.json: how each file of a project is compiled.
 *
 * Both forms of an entry are read ("arguments" as a list, "command" as a shell line), and
 * so are the lines that `heddle cc` appends to $HEDDLE_CC_LOG, one object each. Any bytes
 * may be given; mistakes are errors with the place of the JSON parser or the number of
 * the entry. */
#ifndef HEDDLE_FRONT_COMPDB_H
#define HEDDLE_FRONT_COMPDB_H

#include "base/arena.h"
#include "base/err.h"
#include "front/ccargs.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *file;      /* as written; relative to the directory */
  const char *directory; /* absolute, or relative to heddle's own */
  CcWords words;         /* without the compiler and its wrappers */
  bool cxx;              /* the compiler is one for C++ */
} CompdbEntry;

typedef struct {
  Arena *arena; /* holds the strings */
  VEC(CompdbEntry) entries;
} Compdb;

/* Reads the text of the file `path`. Call compdb_free in either case. */
bool compdb_read(const char *path, const char *text, size_t length, Compdb *ret_compdb,
                 Err *err);
void compdb_free(Compdb *compdb);

#endif
