/* `heddle cc --instrument`: what is added to a compiler's words so that the program that
 * comes out can be recorded and replayed. */
#ifndef HEDDLE_FRONT_INSTRUMENT_H
#define HEDDLE_FRONT_INSTRUMENT_H

#include "base/err.h"
#include "front/ccargs.h"

#include <stdbool.h>

/* The path of a file that is installed with heddle (`libheddle-runtime.a`,
 * `libheddle-preload.so`): beside the tool, or in ../lib/heddle. NULL after filling
 * `err`; mem_free the result. */
char *instrument_find(const char *name, Err *err);

/* Appends `given` with what instruments and links. `program` is the compiler. Strings
 * live in args->arena. False after filling `err`. */
bool instrument_words(const CcArgs *args, bool gcc, CcWords *out, Err *err);

#endif
