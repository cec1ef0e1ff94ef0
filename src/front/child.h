/* Errors of a forked child, on their way back to the process that reports them. */
#ifndef HEDDLE_FRONT_CHILD_H
#define HEDDLE_FRONT_CHILD_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_FOUND_ERROR = 33 }; /* exit status: the memory file holds an error */

void child_send_error(int fd, const Err *err);
/* False when the file holds none. */
bool child_receive_error(int fd, Err *err);

/* Bytes of address space for a child that runs LLVM; 0: no limit. */
size_t child_memory_limit(void);

#endif
