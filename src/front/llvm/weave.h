/* What only the compiler sees, put into a module as calls of heddle's runtime: the user's
 * events and the exits of loops that wait. Runs inside a child process, as everything that touches LLVM. */
#ifndef HEDDLE_FRONT_LLVM_WEAVE_H
#define HEDDLE_FRONT_LLVM_WEAVE_H

#include "base/err.h"
#include "front/events.h"

#include <stddef.h>

/* Reads a unit of bitcode (`name` is its source, for messages), adds the calls, and
 * writes bitcode to `fd`. The bytes are followed by a NUL. `warnings` gets lines about
 * waits (waitloop.h). False after filling `err`. */
bool weave_bitcode(const char *name, const void *bytes, size_t size, const Events *events,
                   int fd, Str *warnings, Err *err);

#endif
