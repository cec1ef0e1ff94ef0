/* Marks where loops around waits on condition variables are left, see waitloop.c. */
#ifndef HEDDLE_FRONT_LLVM_WAITLOOP_H
#define HEDDLE_FRONT_LLVM_WAITLOOP_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#include <llvm-c/Core.h>

/* Adds calls to the module. Each wait that is left alone gets a line in `warnings`,
 * "FILE:LINE:COLUMN: warning: why". */
void waitloop_mark(LLVMContextRef context, LLVMModuleRef module, Str *warnings);

#endif
