/* What `heddle cc` adds to a compiler's words so that the program that comes out can be
 * recorded and replayed. */
#ifndef HEDDLE_FRONT_INSTRUMENT_H
#define HEDDLE_FRONT_INSTRUMENT_H

#include "base/err.h"
#include "front/ccargs.h"

#include <stdbool.h>

/* Whether a call of the compiler can be instrumented and still do what it was called for:
 * false for other machines, freestanding code, other sanitizers, and calls that leave
 * files beside the object which tell how it was compiled. */
bool instrument_suits(const CcArgs *args);

/* Appends `given` with what instruments and links. `program` is the compiler. Strings
 * live in args->arena. False after filling `err`. */
bool instrument_words(const CcArgs *args, bool gcc, CcWords *out, Err *err);

#endif
