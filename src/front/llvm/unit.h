/* A unit of bitcode on its way through heddle's own passes. Runs inside a child process,
 * as everything that touches LLVM. */
#ifndef HEDDLE_FRONT_LLVM_UNIT_H
#define HEDDLE_FRONT_LLVM_UNIT_H

#include "base/err.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* Reads the bitcode of clang; the bytes are followed by a NUL. `name` is its source, for
 * messages. NULL after filling `err`. */
LLVMModuleRef unit_read(LLVMContextRef context, const char *name, const void *bytes,
                        size_t size, Err *err);

/* Lets LLVM's verifier look at the module and writes it. False after filling `err`. */
bool unit_write(LLVMModuleRef module, const char *name, int fd, Err *err);

#endif
