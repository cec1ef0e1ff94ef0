/* Two bodies for each instrumented function, see twin.c. */
#ifndef HEDDLE_FRONT_LLVM_TWIN_H
#define HEDDLE_FRONT_LLVM_TWIN_H

#include "base/err.h"

#include <stddef.h>

/* Reads a unit of bitcode that has been through clang's passes (`name` is its source, for
 * messages), gives its functions a second body, and writes bitcode to `fd`. The bytes are
 * followed by a NUL. False after filling `err`. Runs inside a child process. */
bool twin_bitcode(const char *name, const void *bytes, size_t size, int fd, Err *err);

#endif
