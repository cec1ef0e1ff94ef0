/* What the files of mathematical functions share. */
#ifndef HEDDLE_MODEL_EXEC_LIBC_MATH_H
#define HEDDLE_MODEL_EXEC_LIBC_MATH_H

#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <errno.h>
#include <math.h>

/* Around a computation of the host: its errno is handed to the program. */
static inline void math_begin(void) {
  errno = 0;
}
static inline void math_end(NativeCall *call) {
  if (errno) libc_errno(call, errno);
}

#endif
