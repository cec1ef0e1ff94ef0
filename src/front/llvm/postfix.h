/* Mends what clang makes of `p++` and `p--` on an atomic pointer.
 *
 * It is a loop around a compare-and-exchange, and its value is what the pointer was before. clang
 * gives what was loaded before the loop instead: if another thread was faster, both get the same
 * element, which C excludes. */
#ifndef HEDDLE_FRONT_LLVM_POSTFIX_H
#define HEDDLE_FRONT_LLVM_POSTFIX_H

#include <llvm-c/Core.h>

/* Lets the value of such an expression be the one that was exchanged. */
void postfix_mend(LLVMValueRef function);

#endif
