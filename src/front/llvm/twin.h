/* Two bodies for each instrumented function, see twin.c. */
#ifndef HEDDLE_FRONT_LLVM_TWIN_H
#define HEDDLE_FRONT_LLVM_TWIN_H

#include "base/err.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* Reads a unit of bitcode that has been through clang's passes (`name` is its source, for
 * messages), gives its functions a second body, and writes bitcode to `fd`. The bytes are
 * followed by a NUL. False after filling `err`. Runs inside a child process. */
bool twin_bitcode(const char *name, const void *bytes, size_t size, int fd, Err *err);

/* ---- twin_atomic.c ---------------------------------------------------------------- */

/* Builds the atomic instruction that a call of `__tsan_atomic…` stands for; `operation`
 * is the rest of the name. Returns what the call would, with the instruction that has its
 * operands in *ret_instruction; NULL when there is no such instruction for all machines,
 * and the call has to stay. */
LLVMValueRef twin_build_atomic(LLVMBuilderRef builder, LLVMValueRef call,
                               const char *operation, LLVMValueRef *ret_instruction);

#endif
