/* Parts of local variables in instrumented functions, see twin_local.c. */
#ifndef HEDDLE_FRONT_LLVM_TWIN_LOCAL_H
#define HEDDLE_FRONT_LLVM_TWIN_LOCAL_H

#include <llvm-c/Core.h>

/* Tells the runtime of the accesses to parts of the function's variables that others may
 * know, where the compiler does not. */
void twin_mark_locals(LLVMModuleRef module, LLVMBuilderRef builder,
                      LLVMValueRef function);

#endif
