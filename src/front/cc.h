/* `heddle cc` and `heddle c++`: compilers that are clang 19 to everyone who calls them,
 * and that leave the bitcode of each source in the files they make (see bitsection.h). */
#ifndef HEDDLE_FRONT_CC_H
#define HEDDLE_FRONT_CC_H

#include "base/err.h"

#include <stdbool.h>

/* Runs clang (clang++ when `cxx`) with the arguments, of which the first is already the
 * compiler's own, and yields the exit status for the process. May instead replace the
 * process by clang, or end it by the signal that ended clang.
 *
 * `warnings` gets lines "FILE:LINE:COLUMN: warning: …" of heddle's own, which only
 * instrumented programs have.
 *
 * Nothing but clang writes to the standard streams. When `err` is set on return it is to
 * be printed: clang is missing (status 3), or clang did its work but the bitcode could
 * not be stored (status as clang's). */
int front_cc(int argc, char *const *argv, bool cxx, Str *warnings, Err *err);

/* For a heddle that is called by another name: 'c' for heddle-cc, '+' for heddle-c++ and
 * heddle-cxx, 0 for anything else. `argv0` may have directories. */
char front_cc_alias(const char *argv0);

#endif
