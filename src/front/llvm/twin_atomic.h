/* Atomic instructions for second bodies, see twin_atomic.c. */
#ifndef HEDDLE_FRONT_LLVM_TWIN_ATOMIC_H
#define HEDDLE_FRONT_LLVM_TWIN_ATOMIC_H

#include <llvm-c/Core.h>

/* Builds the atomic instruction that a call of `__tsan_atomic…` stands for; `operation`
 * is the rest of the name. Returns what the call would, with the instruction that has its
 * operands in *ret_instruction; NULL when there is no such instruction for all machines,
 * and the call has to stay. */
LLVMValueRef twin_build_atomic(LLVMBuilderRef builder, LLVMValueRef call,
                               const char *operation, LLVMValueRef *ret_instruction);

#endif
