/* Own assembly in instrumented functions, see twin_asm.c. */
#ifndef HEDDLE_FRONT_LLVM_TWIN_ASM_H
#define HEDDLE_FRONT_LLVM_TWIN_ASM_H

#include <llvm-c/Core.h>

#define TWIN_ASM "__heddle_asm"

/* Tells the runtime before and behind each piece of assembly of the function that may order
 * threads. */
void twin_mark_assembly(LLVMModuleRef module, LLVMBuilderRef builder,
                        LLVMValueRef function);

#endif
